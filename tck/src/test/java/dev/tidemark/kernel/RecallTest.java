package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.marks.MarkCache;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What stores recall in one cache")
class RecallTest {
  private static final EntityKey KEY = EntityKey.key("a");

  private final MarkCache cache = MarkCache.in(new ConcurrentHashMap<>());
  private final Recall orders = new Recall(cache, Tracking.defaults(), "orders");

  private static void applied(Recall recall, Message message) {
    recall.saw(message, KEY, new Outcome.Applied<>(null, false, null), false, "row");
  }

  @Test
  @DisplayName("is kept apart by table and by subscriber")
  void apart() {
    Message id = MessageId.of("m");
    applied(orders, id);
    for (Recall other :
        new Recall[] {
          new Recall(cache, Tracking.defaults(), "others"),
          new Recall(cache, Tracking.defaults().as("search"), "orders")
        }) {
      assertEquals(Optional.empty(), other.sure(id, KEY));
      assertNull(other.stored(KEY));
      applied(other, MessageId.of("of the other"));
    }
    Recall again = new Recall(cache, Tracking.defaults(), "orders");
    assertInstanceOf(Outcome.Duplicate.class, again.sure(id, KEY).orElseThrow());
    assertEquals("row", orders.stored(KEY));
  }

  @Test
  @DisplayName("is forgotten by all when one of them deletes the entity")
  void forgotten() {
    Recall search = new Recall(cache, Tracking.defaults().as("search"), "orders");
    applied(orders, MessageId.of("m"));
    search.forget(KEY);
    assertEquals(Optional.empty(), orders.sure(MessageId.of("m"), KEY));
  }

  @Test
  @DisplayName("is kept apart by what routes a key, and forgotten for all of it")
  void routed() {
    EntityKey europe = KEY.routedBy("region", "eu");
    applied(orders, MessageId.of("m"));
    assertEquals(Optional.empty(), orders.sure(MessageId.of("m"), europe));
    orders.forget(europe);
    assertEquals(Optional.empty(), orders.sure(MessageId.of("m"), KEY));
  }

  @Test
  @DisplayName("is kept apart by policies, also by those of one type of source")
  void policies() {
    SourceEvent third = SourceEvent.of("Order", "1", 3);
    Recall contiguous = withPolicy(EventPolicy.contiguous());
    Mark mark = new Mark(third.source(), Position.of(5));
    contiguous.saw(third, KEY, new Outcome.Duplicate<>(null, mark), false, "row");
    assertInstanceOf(Outcome.Duplicate.class, contiguous.sure(third, KEY).orElseThrow());
    assertInstanceOf(
        Outcome.Duplicate.class,
        withPolicy(EventPolicy.contiguous()).sure(third, KEY).orElseThrow());
    for (EventPolicy policy :
        new EventPolicy[] {
          EventPolicy.dropLate(),
          EventPolicy.contiguous().startingAt(3),
          EventPolicy.denseWindow(9),
          EventPolicy.sparseWindow(9) // BeyondHorizon, which is not done
        }) {
      assertEquals(Optional.empty(), withPolicy(policy).sure(third, KEY), policy::toString);
    }
    assertEquals(Optional.empty(), orders.sure(third, KEY));
  }

  private Recall withPolicy(EventPolicy policy) {
    return new Recall(cache, Tracking.defaults().events("Order", policy), "orders");
  }
}
