package dev.tidemark;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.kernel.Batch;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("What a caller leaves out or contradicts is refused by name")
class InputTest {
  private static final MessageId ID = MessageId.of("m-1");
  private static final EntityKey KEY = EntityKey.key("secret");

  /** What a caller without null checks may pass for anything. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T none() {
    @Nullable T nothing = null;
    return nothing;
  }

  private static void refused(Executable use, String... said) {
    refused(IllegalArgumentException.class, use, said);
  }

  private static void refused(
      Class<? extends RuntimeException> as, Executable use, String... said) {
    String message = String.valueOf(assertThrows(as, use).getMessage());
    for (String part : said) {
      assertTrue(message.contains(part), message);
    }
    assertFalse(message.contains("secret"), message);
  }

  @Test
  @DisplayName("a null of an identity, a change, a delivery or a write says what is missing")
  void nulls() {
    refused(() -> SourceEvent.of(none(), "1", 1), "source type must not be null");
    refused(() -> SourceEvent.of("Order", none(), 1), "source id must not be null");
    refused(() -> SourceEvent.of(Source.of("Order", "1"), none()), "position", "Order");
    refused(() -> SourceEvent.sqsFifo("q", "g", none()), "SQS sequence number");
    refused(() -> SourceEvent.ulid("Order", "1", none()), "ULID");
    refused(() -> MessageId.of(InputTest.<String>none()), "message ID must not be null");
    refused(() -> MessageId.of("tenant", InputTest.<String>none()), "second field");
    refused(() -> EntityKey.key(InputTest.<Object>none()), "key must not be null");
    refused(() -> change().set(InputTest.<String>none(), 1), "path must not be null");
    refused(() -> change().set("a", none()), "'a'", "remove()");
    refused(() -> change().onlyIf(none()), "condition of onlyIf()");
    refused(() -> change().retire(none()), "source of retire()");
    refused(() -> change().append("a", (Object[]) none()), "append()", "'a'");
    refused(() -> change().addToSet("a", (Object[]) none()), "addToSet()", "'a'");
    refused(() -> attribute("a").in((Object[]) none()), "in()", "'a'");
    refused(() -> Delivery.of(none(), "event"), "message of a delivery");
    refused(() -> Delivery.of(ID, none()), "event", "m-1");
    refused(() -> Write.update(ID, KEY, none()), "change", "m-1");
    refused(() -> Write.skip(ID, none()), "key", "m-1");
    refused(() -> Decision.to(none()), "must not return null");
    refused(() -> Batch.given(none()), "writes of a batch");
    refused(() -> Batch.given(Arrays.asList(Write.skip(ID, KEY), none())), "write 1 of the batch");
  }

  @Test
  @DisplayName("a null that a handler gives names the event's type")
  void handlers() {
    Recorder store = new Recorder();
    Projector<String> projector =
        Projector.into(store)
            .on(Long.class, e -> none(), (entity, e) -> entity)
            .on(Integer.class, e -> KEY, (entity, e) -> none())
            .updating(Double.class, e -> KEY, e -> none())
            .deciding(String.class, e -> KEY, (entity, e) -> none())
            .build();
    refused(() -> projector.handle(Delivery.of(ID, 1L)), "java.lang.Long", "the key");
    refused(() -> projector.handle(Delivery.of(ID, 1)), "java.lang.Integer", "the entity");
    refused(() -> projector.handle(Delivery.of(ID, 1.5)), "java.lang.Double", "the change");
    refused(() -> projector.handle(Delivery.of(ID, "x")), "java.lang.String", "the decision");
    refused(() -> projector.handle(InputTest.<Delivery>none()), "delivery");
  }

  /** A store that calls functions on an entity, and writes nothing. */
  private static final class Recorder extends NoStore<String> {
    @Override
    public Outcome<String> write(Write<String> write) {
      Decision<String> decision = ((Write.Action.Apply<String>) write.action()).decide("old");
      return new Outcome.Applied<>(((Decision.To<String>) decision).entity(), false, null);
    }
  }

  @Test
  @DisplayName("a set of several kinds names the attribute and the kinds")
  void mixedSets() {
    refused(() -> change().addToSet("tags", "a", 1), "'tags'", "String", "Integer");
    refused(() -> change().removeFromSet("tags", 1L, new byte[] {1}), "'tags'", "Long");
  }

  @Test
  @DisplayName("policies that contradict each other are refused, none is dropped")
  void policies() {
    refused(
        IllegalStateException.class,
        () -> EventPolicy.sparseWindow(5).givingUpHoles(),
        "givingUpHoles()",
        "SPARSE_WINDOW");
    refused(
        IllegalStateException.class,
        () -> EventPolicy.sparseWindow(5).startingAt(0),
        "startingAt()",
        "dense");
    refused(() -> Tracking.of(TwoForAll.class), "TwoForAll", "all types");
    refused(() -> Tracking.of(TwoForOne.class), "TwoForOne", "'Order'");
    refused(() -> Tracking.of(Days.class), "Days", "keptFor", "'14 days'", "P14D");
  }

  @Tracked(
      events = {
        @Events(EventPolicy.Kind.CONTIGUOUS),
        @Events(EventPolicy.Kind.DROP_LATE),
      })
  private static final class TwoForAll {}

  @Tracked(
      events = {
        @Events(type = "Order", value = EventPolicy.Kind.CONTIGUOUS),
        @Events(type = "Order", value = EventPolicy.Kind.DROP_LATE),
      })
  private static final class TwoForOne {}

  @Tracked(messageIds = @MessageIds(keptFor = "14 days"))
  private static final class Days {}

  @Tracked(events = @Events(type = Source.KAFKA + "orders", value = EventPolicy.Kind.CONTIGUOUS))
  private static final class OfTopic {}

  @Test
  @DisplayName("an annotation names a carrier's sources by kind and name")
  void carriers() {
    Tracking tracking = Tracking.of(OfTopic.class);
    String type = Source.kafka("", "orders", 0).type();
    assertEquals(EventPolicy.Kind.CONTIGUOUS, tracking.events(type).kind());
    assertEquals(EventPolicy.Kind.DROP_LATE, tracking.events("orders").kind());
  }

  @Test
  @DisplayName("answers tell what they are without a cast, and a failure says why")
  void answers() {
    Freshness<String> fresh = new Freshness.Fresh<>("entity");
    Freshness<String> notYet = new Freshness.NotYet<>(null);
    assertTrue(fresh.isFresh() && !notYet.isFresh());
    assertEquals(Optional.of("entity"), fresh.entity());
    assertEquals(Optional.empty(), notYet.entity());
    Outcome<String> missing = new Outcome.Missing<>();
    Result<String> done = new Result.Judged<>(missing);
    assertEquals(Optional.of(missing), done.outcomeIfJudged());
    Result<String> failed =
        new Result.Failed<>(new InvalidChangeException("'total' is not a number", KEY, null));
    assertEquals(Optional.empty(), failed.outcomeIfJudged());
    assertEquals("Failed[InvalidChangeException: 'total' is not a number]", failed.toString());
    assertEquals(
        "Failed[IllegalStateException]",
        new Result.Failed<>(new IllegalStateException("secret")).toString());
  }
}
