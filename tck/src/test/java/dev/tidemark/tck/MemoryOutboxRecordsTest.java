package dev.tidemark.tck;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Outgoing messages in memory")
class MemoryOutboxRecordsTest {
  private final MovableClock clock = new MovableClock();
  private final ReferenceStore<View> store =
      ReferenceStore.of(new ViewMapper(false), Tracking.defaults(), clock);
  private final MemoryOutboxRecords outbox = MemoryOutboxRecords.of(store);

  @Test
  @DisplayName("are those that the store published, for a relay in a test")
  void relay() {
    List<String> sent = new ArrayList<>();
    Relay relay =
        Relay.builder(outbox, Sender.each(one -> sent.add(one.message().topic()))).build();
    for (String topic : List.of("first", "second")) {
      assertTrue(
          store
              .update(
                  MessageId.of(topic),
                  key("4711"),
                  change().add("total", 1).createIfMissing().publish(topic, "{}"))
              .isApplied());
    }
    assertEquals(2, relay.sweep().sent());
    assertEquals(List.of("first", "second"), sent);
    assertEquals(0, relay.sweep().pending());
  }

  @Test
  @DisplayName("are of one store alone, and go by its clock and its shards")
  void alone() {
    assertEquals(clock, outbox.clock());
    assertEquals(4, outbox.shards());
    MemoryOutboxRecords other =
        MemoryOutboxRecords.of(
            ReferenceStore.of(new ViewMapper(false), Tracking.defaults().outbox(10, 7), clock));
    assertEquals(7, other.shards());
  }
}
