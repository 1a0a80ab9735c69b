package dev.tidemark.tck.contract;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import java.util.UUID;

/** Keys and ids that no other contract uses, and events of sources on them. */
final class Some {
  private Some() {}

  static EntityKey key() {
    return EntityKey.key(name());
  }

  static String name() {
    return "view-" + UUID.randomUUID();
  }

  static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  static SourceEvent event(long position) {
    return event("Order", "4711", position);
  }

  static SourceEvent event(String type, String id, long position) {
    return SourceEvent.of(type, id, position);
  }
}
