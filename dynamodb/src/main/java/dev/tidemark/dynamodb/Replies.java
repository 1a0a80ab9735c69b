package dev.tidemark.dynamodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What DynamoDB's answers to the requests of {@link Writes} say to a run. */
final class Replies<T> {
  private final Writes<T> writes;
  private final Mapping<T> mapping;
  private final Names names;

  Replies(Writes<T> writes) {
    this.writes = writes;
    this.mapping = writes.mapping();
    this.names = mapping.names();
  }

  /** The reply to a write that was carried out, with the item after it, which may be empty. */
  Reply<T> accepted(Request<T> request, Map<String, AttributeValue> after) {
    boolean created = false;
    if (request.over() == null) {
      Edit edit = writes.edit(request);
      created =
          edit.rules().creates() && mapping.isCreated(after, request.marking(), edit.touched());
    }
    boolean gone = mapping.isGone(after);
    return new Reply.Accepted<>(
        created,
        gone ? null : mapping.entityIfMapped(after),
        Values.toNeutral(after, names::isMark),
        names.countSources(after.keySet()),
        gone || Values.has(after, names.full()));
  }

  /**
   * The reply to a write whose condition was false, with the item that it was false of. Without one
   * that is no proof that there is none: not every server sends it.
   */
  Reply<T> refused(Request<T> request, Map<String, AttributeValue> refusal) {
    if (refusal.isEmpty()) {
      return new Reply.Refused<>(null, false);
    }
    Item<T> item = mapping.item(request.marking().key(), refusal);
    return new Reply.Refused<>(item, request.over() == null && isRefusedByRule(request, item));
  }

  /** Whether only the caller's rule can have refused a blind write over this. */
  boolean isRefusedByRule(Request<T> request, Item<T> item) {
    Marking marking = request.marking();
    Found<T> found = item.found();
    try {
      return request.hasRule()
          && (!found.exists() || found.state(names, marking.now()) == Found.State.LIVE)
          && mapping.nullMarks(item.attributes()).isEmpty()
          && accepts(request, item)
          && marking.acceptsBlindly(marking.marks(found));
    } catch (CorruptRecordException e) { // which is for the run to tell
      return false;
    }
  }

  /** Whether a write passes what it requires beside marks and the caller's rule. */
  @SuppressWarnings("unchecked")
  private boolean accepts(Request<T> request, Item<T> item) {
    return request.effect() instanceof Effect.Own<T> own
            && own.update() instanceof RefusedWrites.Refused<?> refused
        ? ((RefusedWrites.Refused<T>) refused).accepts(item)
        : writes.edit(request).sums().accept(item.attributes());
  }
}
