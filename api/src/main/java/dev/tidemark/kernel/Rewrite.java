package dev.tidemark.kernel;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operations that record a fresh message where a blind write's guard does not let them. */
final class Rewrite {
  private Rewrite() {}

  /** The same where it lets them, too. */
  static List<Operation> recording(
      Message message, Map<String, Object> flat, Tracking tracking, Names names, Instant now) {
    if (Evaluator.test(Plan.of(message, tracking, names.flat(), now).guard(), flat)) {
      return Plan.of(message, tracking, names, now).operations();
    }
    return message instanceof SourceEvent event
        ? of(event, flat, tracking, names)
        : slots(
            Ids.stored((MessageId) message, tracking.messageIds().isCompact()),
            flat,
            tracking,
            names,
            now);
  }

  /** Makes room for a message ID, or records one, too. */
  static List<Operation> slots(
      @Nullable Object stored,
      Map<String, Object> flat,
      Tracking tracking,
      Names names,
      Instant now) {
    IdPolicy policy = tracking.messageIds();
    Object opened = flat.get(names.since());
    if (policy.keptFor().isPresent() && opened != null && !(opened instanceof Number)) {
      throw Faults.ofType(names.since(), opened, "the time at which its slot was opened");
    }
    if (opened instanceof Number since
        && since.longValue() > now.plus(policy.maxSkew()).toEpochMilli()) {
      throw new CorruptRecordException(
          "'" + names.since() + "' is ahead of the clock by more than " + policy.maxSkew(),
          null,
          null);
    }
    return Slots.read(flat, names, policy).rotate(stored, now);
  }

  private static List<Operation> of(
      SourceEvent event, Map<String, Object> flat, Tracking tracking, Names names) {
    SourceMark before = SourceMark.read(flat, names, event.source());
    EventPolicy policy = tracking.events(event.source().type());
    SourceMark after = Judge.advance(before, event, policy);
    if (after.horizon() == null
        && policy.kind() == EventPolicy.Kind.SPARSE_WINDOW
        && event.position() instanceof Position.Textual text) {
      after = after.from(Positions.lowest(text)); // which holds the width
    }
    List<Operation> operations = new ArrayList<>();
    for (Names.Part part : Names.Part.values()) {
      Path path = names.path(event.source(), part);
      Object stored = after.stored(part, Judge.isWindow(policy));
      operations.add(stored == null ? Operation.remove(path) : Operation.assign(path, stored));
    }
    return operations;
  }
}
