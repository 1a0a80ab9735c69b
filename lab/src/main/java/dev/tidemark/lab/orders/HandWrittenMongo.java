package dev.tidemark.lab.orders;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.BsonInt64;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.conversions.Bson;

/**
 * Rows in MongoDB under a guard by hand: the highest version of each aggregate, or the ids of all
 * events, and a revision for rows that are read, changed and put back. It knows no bounds, windows,
 * deletes or lost replies.
 */
final class HandWrittenMongo<T> extends ContrastStore<T> {
  private static final String REVISION = "revision";
  private static final String SEEN = "seen";
  private static final BsonInt64 NONE = new BsonInt64(0);

  private final MongoCollection<BsonDocument> rows;
  private final Codec<T> codec;
  private final BiConsumer<T, String> key;

  private HandWrittenMongo(MongoCollection<T> rows, BiConsumer<T, String> key) {
    super(rows.getDocumentClass());
    this.rows = rows.withDocumentClass(BsonDocument.class);
    this.codec = rows.getCodecRegistry().get(rows.getDocumentClass());
    this.key = key;
  }

  static OpenViews views(MongoClient client, String database) {
    return OpenViews.contrast(
        new HandWrittenMongo<>(
            UntrackedMongo.orders(client, database), (row, id) -> row.orderId = id),
        new HandWrittenMongo<>(UntrackedMongo.spending(client, database), (row, id) -> row.id = id),
        client::close);
  }

  /** How a row remembers a message. */
  private record Seen(Bson isFresh, Bson update, String source, long position) {
    static Seen of(Message message) {
      if (message instanceof SourceEvent event) {
        String source = event.source().type() + "/" + event.source().id();
        long position = Long.parseLong(event.position().toString());
        String path = SEEN + "." + source;
        return new Seen(
            or(exists(path, false), lt(path, position)), set(path, position), source, position);
      }
      String id = ((MessageId) message).value();
      return new Seen(ne(SEEN, id), push(SEEN, id), "", 0);
    }

    /** Whether a row has it; false if not, and then the row remembers it. */
    boolean isIn(BsonDocument row) {
      BsonDocument marks = row.getDocument(SEEN, new BsonDocument());
      if (marks.getInt64(source, NONE).getValue() >= position) {
        return true;
      }
      row.put(SEEN, marks.append(source, new BsonInt64(position)));
      return false;
    }
  }

  @Override
  Optional<T> get(String id) {
    return Optional.ofNullable(rows.find(eq("_id", id)).first()).map(this::decoded);
  }

  private T decoded(BsonDocument row) {
    return codec.decode(new BsonDocumentReader(row), DecoderContext.builder().build());
  }

  @Override
  Outcome<T> add(Message message, String id, Map<String, Number> amounts) {
    Seen seen = Seen.of(message);
    List<Bson> operators = new ArrayList<>(List.of(seen.update(), inc(REVISION, 1L)));
    amounts.forEach((name, amount) -> operators.add(inc(name, amount)));
    Bson filter = and(eq("_id", id), seen.isFresh());
    UpdateResult result;
    try {
      result = rows.updateOne(filter, combine(operators), new UpdateOptions().upsert(true));
    } catch (MongoWriteException e) {
      if (!isTaken(e)) {
        throw e;
      }
      result = rows.updateOne(filter, combine(operators)); // seen before, or just created
    }
    return result.getMatchedCount() > 0 || result.getUpsertedId() != null ? applied() : duplicate();
  }

  private static boolean isTaken(MongoWriteException e) {
    return e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY;
  }

  @Override
  Outcome<T> change(Message message, String id, Supplier<T> initial, UnaryOperator<T> function) {
    Seen seen = Seen.of(message);
    while (true) {
      BsonDocument found = rows.find(eq("_id", id)).first();
      BsonDocument next = found == null ? new BsonDocument() : found.clone();
      if (seen.isIn(next)) {
        return duplicate();
      }
      T row = found == null ? initial.get() : decoded(found);
      key.accept(row, id);
      BsonDocument changed = new BsonDocument();
      codec.encode(
          new BsonDocumentWriter(changed), function.apply(row), EncoderContext.builder().build());
      next.putAll(changed);
      if (isPut(id, next)) {
        return applied();
      }
    }
  }

  /** Puts a row in the place of the one that was read; false if another writer came between. */
  private boolean isPut(String id, BsonDocument next) {
    BsonInt64 revision = next.getInt64(REVISION, NONE);
    next.put(REVISION, new BsonInt64(revision.getValue() + 1));
    boolean fresh = revision.equals(NONE);
    try {
      return fresh
          ? rows.insertOne(next).wasAcknowledged()
          : rows.replaceOne(and(eq("_id", id), eq(REVISION, revision)), next).getMatchedCount() > 0;
    } catch (MongoWriteException e) {
      if (!isTaken(e)) {
        throw e;
      }
      return false;
    }
  }
}
