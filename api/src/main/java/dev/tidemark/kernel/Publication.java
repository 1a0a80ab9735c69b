package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.Tracking;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The messages that leave because of a write, and what the write asks and does for them.
 *
 * @param messages in their stored form; none if the write publishes nothing
 */
record Publication(List<Map<String, Object>> messages) {
  static final Publication NONE = new Publication(List.of());

  boolean isEmpty() {
    return messages.isEmpty();
  }

  /** A guard that asks for room, too. */
  Condition guard(Condition marks, Tracking tracking, Names spelled) {
    return isEmpty() ? marks : marks.and(Outbox.room(messages.size(), tracking, spelled));
  }

  List<Operation> operations(EntityKey key, Tracking tracking, Names spelled, Instant now) {
    return isEmpty() ? List.of() : Outbox.operations(messages, key, tracking, spelled, now);
  }
}
