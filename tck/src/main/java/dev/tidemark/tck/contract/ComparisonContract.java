package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.COMPARISON)
@DisplayName("Law 6: marks compare as what they are")
final class ComparisonContract {
  private static final String MARK = "events.Order.4711";
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(5),
          EventPolicy.sparseWindow(5));

  private final Scene scene;

  ComparisonContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  private static SourceEvent at(Position position) {
    return SourceEvent.of(Source.of("Order", "4711"), position);
  }

  private static SourceEvent text(String position) {
    return at(Position.ofText(position));
  }

  @Test
  @DisplayName("numbers compare as numbers: 9, 10, 100, up to 34 digits, below zero too")
  void numbers() {
    EntityStore<View> store = scene.store();
    List<BigInteger> ascending =
        List.of(
            BigInteger.TEN.pow(33).negate(),
            BigInteger.valueOf(-10),
            BigInteger.valueOf(-9),
            BigInteger.ZERO,
            BigInteger.valueOf(9),
            BigInteger.TEN,
            BigInteger.valueOf(100),
            BigInteger.valueOf(Long.MAX_VALUE),
            BigInteger.valueOf(Long.MAX_VALUE).add(BigInteger.ONE),
            BigInteger.TEN.pow(34).subtract(BigInteger.TWO),
            BigInteger.TEN.pow(34).subtract(BigInteger.ONE));
    for (BigInteger position : ascending) {
      Expect.applied(store.update(at(Position.of(position)), scene.key, Scene.counted()));
      Expect.duplicate(store.update(at(Position.of(position)), scene.key, Scene.counted()));
    }
    for (BigInteger position : ascending.subList(0, ascending.size() - 1)) {
      Expect.stale(store.update(at(Position.of(position)), scene.key, Scene.counted()));
    }
    assertEquals(ascending.size(), scene.count());
  }

  @Test
  @DisplayName("strings of one width compare by their characters")
  void strings() {
    EntityStore<View> store = scene.store();
    for (String position : List.of("!!", "09", "10", "9Z", "AA", "Aa", "aA", "~~")) {
      Expect.applied(store.update(text(position), scene.key, Scene.counted()));
    }
    Expect.stale(store.update(text("10"), scene.key, Scene.counted()));
    Expect.duplicate(store.update(text("~~"), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("a position of another kind or width is CorruptRecordException, nothing is written")
  void otherKind() {
    for (EventPolicy policy : List.of(EventPolicy.dropLate(), EventPolicy.sparseWindow(5))) {
      EntityStore<View> store = scene.store(Tracking.defaults().events(policy));
      Source numbers = Source.of("Number", policy.toString());
      Source texts = Source.of("Text", policy.toString());
      write(store, SourceEvent.of(numbers, Position.of(10)));
      write(store, SourceEvent.of(texts, Position.ofText("10")));
      refuse(store, SourceEvent.of(numbers, Position.ofText("11")));
      refuse(store, SourceEvent.of(texts, Position.of(11)));
      refuse(store, SourceEvent.of(texts, Position.ofText("9")));
      refuse(store, SourceEvent.of(texts, Position.ofText("011")));
      refuse(store, SourceEvent.of(texts, Position.ofText("999")));
    }
    assertEquals(4, scene.count());
  }

  private void write(EntityStore<View> store, Message message) {
    Expect.applied(store.update(message, scene.key, Scene.counted()));
  }

  private void refuse(EntityStore<View> store, Message message) {
    assertThrows(
        CorruptRecordException.class,
        () -> store.update(message, scene.key, Scene.counted()),
        message::toString);
    assertThrows(
        CorruptRecordException.class,
        () -> store.apply(message, scene.key, Views::counted),
        message::toString);
  }

  @Test
  @DisplayName("a mark stored as a string, boolean, list or map is corrupt under every policy")
  void foreignMarks() {
    List<Object> foreign = List.of("10", "", true, List.of(10L), Map.of("x", 1L));
    for (EventPolicy policy : POLICIES) {
      EntityStore<View> store = scene.store(Tracking.defaults().events(policy));
      for (Object mark : foreign) {
        scene.backend.putRaw(scene.key, Map.of("status", "NEW", MARK, mark));
        refuse(store, Some.event(11));
        refuse(store, Some.event(1));
      }
    }
    assertEquals(0, scene.count());
  }

  @Test
  @DisplayName("message IDs stored as a string, number or map are corrupt, not Duplicate")
  void foreignIds() {
    List<Object> foreign = List.of("m1", 10L, true, Map.of("x", 1L));
    for (Object ids : foreign) {
      scene.backend.putRaw(scene.key, Map.of("status", "NEW", "messageIDs", ids));
      refuse(scene.store(), MessageId.of("m1"));
      refuse(scene.store(), Some.id());
    }
    assertEquals(0, scene.count());
  }
}
