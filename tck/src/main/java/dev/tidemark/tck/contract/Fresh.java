package dev.tidemark.tck.contract;

import dev.tidemark.Key;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import java.util.UUID;

/** Keys, ids and sources that no other contract uses. */
final class Fresh {
  private Fresh() {}

  static Key key() {
    return Key.key("view-" + UUID.randomUUID());
  }

  static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  static SourceEvent event(long position) {
    return SourceEvent.of("Order", "4711", position);
  }
}
