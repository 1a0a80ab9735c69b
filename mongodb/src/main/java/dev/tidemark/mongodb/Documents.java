package dev.tidemark.mongodb;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.BsonDocument;

/**
 * What portable requests make of a document that was read, or of nothing, as the kernel evaluates
 * it. It is all that a server without pipeline updates is sent.
 */
final class Documents<T> {
  private final Context<T> context;
  private final Names names;

  Documents(Context<T> context) {
    this.context = context;
    this.names = context.names();
  }

  /** All marks after a request, by flat name. */
  Map<String, Object> marks(Request<T> request, Found<T> found) {
    Marking marking = request.marking();
    Map<String, Object> before = marking.marks(found);
    if (request.effect() instanceof Effect.Tombstone) {
      return marking.tombstone(before);
    }
    Found.State state = found.state(names, marking.now());
    if (request.effect() instanceof Effect.Nothing && state == Found.State.DELETED) {
      return marking.marksRecorded(before);
    }
    Map<String, Object> marks =
        new LinkedHashMap<>(marking.marksAfter(before, request.rules().retired()));
    if (state != Found.State.LIVE) {
      marks.remove(names.tombstone());
      marks.put(names.birth(), marking.token());
    }
    return marks;
  }

  /**
   * The document after a request.
   *
   * @throws dev.tidemark.InvalidChangeException if the change does not fit what was read
   */
  BsonDocument after(Request<T> request, StoredDocument<T> over) {
    BsonDocument after = context.keys().document(over.key());
    BsonDocument stored = over.document() == null ? new BsonDocument() : over.document();
    after.replaceAll((name, value) -> stored.getOrDefault(name, value));
    if (request.effect() instanceof Effect.Called<T> called) {
      after.putAll(context.records().withoutMarks(Pipelines.functions(called).document()));
    } else if (!(request.effect() instanceof Effect.Tombstone)) {
      boolean live = over.found().state(names, request.marking().now()) == Found.State.LIVE;
      BsonDocument fields = live ? context.records().withoutMarks(stored) : new BsonDocument();
      after.putAll(new ReadChange(context).applied(Pipelines.change(request).operations(), fields));
    }
    after.putAll(context.records().nested(marks(request, over.found())));
    return after;
  }

  /**
   * The same as a write of the whole document, unless another came since. Operators would not do:
   * the server takes numbers for equal that differ beyond a double.
   */
  Command replaced(Request<T> request, StoredDocument<T> over) {
    Found<T> found = over.found();
    BsonDocument after = after(request, over);
    if (!found.exists()) {
      return Command.raising(new InsertOneModel<>(after));
    }
    BsonDocument unchanged = new Operators<>(context).unchanged(request.marking(), found);
    return Command.matching(new ReplaceOneModel<>(unchanged, after));
  }
}
