package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Neutral;
import dev.tidemark.tck.View;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.STORAGE)
@DisplayName("Records are stored as storage-format.md shows, and read so")
final class StorageContract {
  private static final ByteBuffer REVISION = bytes("00112233445566778899aabbccddeeff");
  private static final MessageId UUID = MessageId.of("3f2504e0-4f89-41d3-9a0c-0305e82c3301");
  private static final long SINCE = 1_767_225_600_000L;

  private final Scene scene;

  StorageContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex)).asReadOnlyBuffer();
  }

  /** Stores the page's example literally, and holds the raw read against what it has to mean. */
  private void store(String name, Map<String, Object> meaning) {
    String json = Examples.json(scene.backend.format(), name);
    String id = (String) scene.key.parts().get(0);
    scene.backend.putJson(json.replace("order-4711", id));
    Map<String, Object> expected = new LinkedHashMap<>(meaning);
    expected.putIfAbsent("_rev", REVISION);
    Raw.assertSame(expected, scene.raw().orElseThrow(), "example " + name);
  }

  private void duplicate(Tracking tracking, dev.tidemark.Message message) {
    Expect.duplicate(scene.store(tracking).update(message, scene.key, Scene.counted()));
  }

  private void applied(Tracking tracking, dev.tidemark.Message message) {
    Expect.applied(scene.store(tracking).update(message, scene.key, Scene.counted()));
  }

  private static final Map<String, Object> IDS =
      Map.of(
          "status",
          "PAID",
          "total",
          25L,
          "messageIDs",
          Set.of("m-1", "m-2"),
          "messageIDs#since",
          SINCE);

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("example ids: message IDs kept for a duration")
  void ids() {
    store("ids", IDS);
    View view = scene.store().find(scene.key).orElseThrow();
    assertEquals("PAID", view.getStatus());
    duplicate(Tracking.defaults(), MessageId.of("m-1"));
    duplicate(Tracking.defaults(), MessageId.of("m-2"));
    applied(Tracking.defaults(), MessageId.of("m-3"));
  }

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("example slots: an open slot and two closed ones")
  void slots() {
    Map<String, Object> meaning = new LinkedHashMap<>(IDS);
    meaning.put("messageIDs", Set.of("m-5"));
    meaning.put("messageIDs#1", Set.of("m-3", "m-4"));
    meaning.put("messageIDs#2", Set.of("m-1"));
    meaning.put("messageIDs#closed", List.of(SINCE, SINCE - 100_000));
    store("slots", meaning);
    for (int i = 1; i <= 5; i++) {
      if (i != 2) {
        duplicate(Tracking.defaults(), MessageId.of("m-" + i));
      }
    }
    applied(Tracking.defaults(), MessageId.of("m-2"));
  }

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("example compact: a UUID as 16 bytes, another id behind 0xFF")
  void compact() {
    store(
        "compact",
        Map.of(
            "status",
            "PAID",
            "messageIDs",
            Set.of(bytes("3f2504e04f8941d39a0c0305e82c3301"), bytes("ff6d2d31"))));
    Tracking tracking = Tracking.defaults().messageIds(IdPolicy.last(100).compact());
    duplicate(tracking, UUID);
    duplicate(tracking, MessageId.of("m-1"));
    applied(tracking, MessageId.of("m-2"));
  }

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("example event: marks of sources, a string position, a generation, a subscriber")
  void event() {
    Map<String, Object> meaning = new LinkedHashMap<>();
    meaning.put("status", "PAID");
    meaning.put("events.Order.4711", 17L);
    meaning.put("events.kafka:orders%2Eplaced.0", true);
    meaning.put("events.kafka:orders%2Eplaced.0#floor", 90_000L);
    meaning.put("events.kafka:orders%2Eplaced.0#generation", 2L);
    meaning.put("events.sqs-fifo:queue.group", "000000000000000000018850000000000000042");
    meaning.put("events@search.Order.4711", 16L);
    store("event", meaning);
    Tracking tracking = Tracking.defaults();
    duplicate(tracking, Some.event(17));
    duplicate(tracking, SourceEvent.sqsFifo("queue", "group", "18850000000000000042"));
    Source topic = Source.kafka("", "orders.placed", 0);
    duplicate(tracking, SourceEvent.of(topic.generation(2), Position.of(90_000)));
    Expect.stale(
        scene
            .store()
            .update(SourceEvent.of(topic, Position.of(99_999)), scene.key, Scene.counted()));
    duplicate(tracking.as("search"), Some.event(16));
    applied(tracking.as("search"), Some.event(17));
  }

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("example window: a floor, positions above it, holes given up")
  void window() {
    store(
        "window",
        Map.of(
            "status",
            "PAID",
            "events.Order.4711",
            true,
            "events.Order.4711#floor",
            12L,
            "events.Order.4711#seen",
            Set.of(14L, 15L),
            "events.Order.4711#horizon",
            9L));
    Tracking tracking = Tracking.defaults().events(EventPolicy.denseWindow(10));
    duplicate(tracking, Some.event(11));
    duplicate(tracking, Some.event(14));
    Expect.beyondHorizon(scene.store(tracking).update(Some.event(9), scene.key, Scene.counted()));
    applied(tracking, Some.event(13));
  }

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("example tombstone: marks and expiry of a deleted entity")
  void tombstone() {
    store(
        "tombstone",
        Map.of(
            "events.Order.4711",
            18L,
            "deletedUntil",
            1_769_817_600L,
            "_rev",
            "00112233445566778899aabbccddeeff"));
    assertTrue(scene.store().find(scene.key).isEmpty());
    duplicate(Tracking.defaults(), Some.event(18));
    Expect.deleted(scene.store().skip(Some.event(19), scene.key));
  }

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("example outbox: messages that wait, one of them out of order")
  void outbox() {
    Map<String, Object> first = new LinkedHashMap<>();
    first.put("id", "0b1f6a52-8b0c-8f1e-9a6d-3a1c5d2e7f40");
    first.put("topic", "orders");
    first.put("payload", "{\"total\":25}");
    first.put("key", "4711");
    first.put("type", "OrderPaid");
    first.put("headers", List.of("trace", "a1"));
    first.put("at", SINCE);
    Map<String, Object> second = new LinkedHashMap<>();
    second.put("id", "5d3f1c7e-2a44-8e0b-b1f2-9c0d8e7a6b51");
    second.put("topic", "mails");
    second.put("payload", bytes("00010203"));
    second.put("at", SINCE);
    second.put("unordered", true);
    Map<String, Object> meaning = new LinkedHashMap<>();
    meaning.put("status", "PAID");
    meaning.put("events.Order.4711", 17L);
    meaning.put("_outbox", List.of(first, second));
    meaning.put("_outbox#shard", 3L);
    meaning.put("_outbox#due", SINCE);
    store("outbox", meaning);
    OutgoingMessage mail = Outbox.message(second);
    OutgoingMessage paid =
        OutgoingMessage.to("orders", "{\"total\":25}")
            .id("0b1f6a52-8b0c-8f1e-9a6d-3a1c5d2e7f40")
            .key("4711")
            .type("OrderPaid")
            .header("trace", "a1");
    Instant at = Instant.ofEpochMilli(SINCE);
    assertEquals(first, Neutral.of(Outbox.stored(paid, at)));
    assertEquals(second, Neutral.of(Outbox.stored(mail, at)));
    Change publishes = Scene.counted().publish(paid.id("3"));
    Expect.applied(scene.store().update(Some.event(18), scene.key, publishes));
    List<?> all = (List<?>) Objects.requireNonNull(scene.raw().orElseThrow().get("_outbox"));
    assertEquals(List.of(first, second), all.subList(0, 2));
  }

  @Test
  @Needs(Capability.NATIVE_JSON)
  @DisplayName("example full: marks of as many sources as are allowed")
  void full() {
    Map<String, Object> marks =
        Map.of("status", "PAID", "events.Order.1", 3L, "events.Order.2", 5L);
    Map<String, Object> meaning = new LinkedHashMap<>(marks);
    meaning.put("_rev", "00112233445566778899aabbccddeeff@");
    store("full", meaning);
    Tracking tracking = Tracking.defaults().maxSources(2);
    assertThrows(
        TooLargeException.class,
        () ->
            scene.store(tracking).update(Some.event("Order", "3", 1), scene.key, Scene.counted()));
    applied(tracking, Some.event("Order", "2", 6));
    assertTrue(scene.raw().orElseThrow().get("_rev") instanceof String);
    applied(tracking.maxSources(1_000), Some.event("Order", "3", 1));
    assertTrue(scene.raw().orElseThrow().get("_rev") instanceof ByteBuffer);
  }

  private Map<String, Object> written(boolean deleted) {
    Map<String, Object> raw = new LinkedHashMap<>(scene.raw().orElseThrow());
    Object revision = raw.remove("_rev");
    assertTrue(
        deleted
            ? revision instanceof String text && text.matches("[0-9a-f]{32}")
            : revision instanceof ByteBuffer bytes && bytes.remaining() == 16,
        "revision");
    raw.remove("_born");
    return raw;
  }

  @Test
  @DisplayName("what is written has the names, types and values of the page")
  void asOnThePage() {
    EntityStore<View> store =
        scene.store(Tracking.defaults().events("W", EventPolicy.denseWindow(10)));
    Expect.applied(store.update(MessageId.of("m-1"), scene.key, Scene.counted()));
    Expect.applied(store.update(MessageId.of("m-2"), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.event(17), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.event("W", "1", 2), scene.key, Scene.counted()));
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("total", 4L);
    expected.put("messageIDs", Set.of("m-1", "m-2"));
    expected.put("messageIDs#since", SINCE);
    expected.put("events.Order.4711", 17L);
    expected.put("events.W.1", true);
    expected.put("events.W.1#floor", 0L);
    expected.put("events.W.1#seen", Set.of(2L));
    Raw.assertSame(expected, written(false), "after four messages");
    Expect.applied(store.delete(Some.event(18), scene.key));
    expected.remove("total");
    expected.put("events.Order.4711", 18L);
    expected.put("deletedUntil", scene.clock.instant().plus(Duration.ofDays(30)).getEpochSecond());
    Raw.assertSame(expected, written(true), "after a delete");
  }
}
