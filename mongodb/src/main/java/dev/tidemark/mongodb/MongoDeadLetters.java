package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import dev.tidemark.intake.DeadLetters;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaximumSizeExceededException;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/**
 * Keeps dead letters of change streams in a collection, each once:
 *
 * <pre>{@code
 * {"_id": {"stream": "orders", "source": "shop.events", "_id": "e-17"},
 *  "reason": "IllegalArgumentException", "kind": "undecodable", "tries": 1,
 *  "at": {"$date": "2026-11-23T09:30:00Z"},
 *  "document": {"_id": "e-17", "event": "no event"}}
 * }</pre>
 *
 * <p>Of an event that is no insert, or whose document a pipeline has changed or taken away, there
 * is the {@code event} as the stream had it, in place of the {@code document}. One that leaves no
 * room for the reason in a document of MongoDB is left out, and marked so by {@code leftOut}; so is
 * an event that was too large for the stream.
 *
 * <p>Threads may share it.
 */
public final class MongoDeadLetters implements DeadLetters<StreamedChange> {
  private static final int MOST = 100;
  private static final String ID = "_id";
  private static final String STREAM = "stream";
  private static final String SOURCE = "source";
  private static final String AT = "at";
  private static final String DOCUMENT = "document";
  private static final String EVENT = "event";
  private static final String LEFT_OUT = "leftOut";

  private final OwnCollection<BsonDocument> letters;
  private final BsonString stream;
  private final Clock clock;

  private MongoDeadLetters(MongoCollection<?> letters, String stream, Clock clock) {
    if (stream.isEmpty()) {
      throw new IllegalArgumentException("the stream's name must not be empty");
    }
    this.stream = new BsonString(stream);
    this.letters = OwnCollection.of(letters, BsonDocument.class);
    this.clock = clock;
  }

  /**
   * Keeps the dead letters of one stream in a collection.
   *
   * @param letters a collection of dead letters alone, for any number of streams
   * @param stream the name of the stream, such as the one by which its place is kept. Two streams
   *     of one source may give up the same change: each keeps a letter of its own under its name,
   *     and hands over no letters but those
   * @return for any number of threads
   */
  public static MongoDeadLetters of(MongoCollection<?> letters, String stream) {
    return of(letters, stream, Clock.systemUTC());
  }

  /** For tests, in which time passes by itself. */
  static MongoDeadLetters of(MongoCollection<?> letters, String stream, Clock clock) {
    return new MongoDeadLetters(letters, stream, clock);
  }

  /**
   * What a redrive has done.
   *
   * @param done how many letters were handled, and removed
   * @param left how many were not, and stay
   */
  public record Redriven(long done, long left) {}

  @Override
  public void keep(StreamedChange change, Reason reason) {
    BsonDocument id =
        new BsonDocument(STREAM, stream).append(SOURCE, new BsonString(change.source()));
    id.putAll(change.place());
    BsonDocument letter =
        new BsonDocument(ID, id)
            .append("reason", new BsonString(reason.text()))
            .append("kind", new BsonString(reason.undecodable() ? "undecodable" : "parked"))
            .append("tries", new BsonInt32(reason.tries()))
            .append(AT, new BsonDateTime(clock.millis()));
    if (change.isOversized()) {
      put(id, letter.append(LEFT_OUT, BsonBoolean.TRUE));
      return;
    }
    try {
      put(id, whole(letter, change));
    } catch (MongoException | BsonMaximumSizeExceededException e) {
      if (Errors.kind(e) != Errors.Kind.TOO_LARGE) {
        throw e;
      }
      put(id, letter.append(LEFT_OUT, BsonBoolean.TRUE));
    }
  }

  private void put(BsonDocument id, BsonDocument letter) {
    var unused =
        letters.get().replaceOne(Filters.eq(ID, id), letter, new ReplaceOptions().upsert(true));
  }

  private static BsonDocument whole(BsonDocument letter, StreamedChange change) {
    if (change.isOfDocument()) {
      return letter.clone().append(DOCUMENT, change.document());
    }
    return letter.clone().append(EVENT, StreamEvents.document(change.event().orElseThrow()));
  }

  /**
   * Hands the letters of the stream to an intake again, the oldest first, once the cause is mended.
   * A letter that is handled is removed; one that dies again, is not done yet, was kept anew
   * meanwhile or has lost its document stays, and is counted. Call it again until nothing is left.
   *
   * @param source the collection that the letters came from, by whose codecs they are decoded
   * @param intake such as the stream's own
   * @return how many were handled
   * @throws IllegalStateException in an open transaction of Spring, as {@link Intake#take} has it;
   *     all letters stay
   */
  public Redriven redrive(MongoCollection<?> source, Intake<StreamedChange> intake) {
    String name = source.getNamespace().getFullName();
    long done = 0;
    long left = 0;
    FindIterable<BsonDocument> found =
        letters
            .get()
            .find(
                Filters.and(
                    Filters.eq(ID + "." + STREAM, stream), Filters.eq(ID + "." + SOURCE, name)))
            .sort(Sorts.ascending(AT));
    try (MongoCursor<BsonDocument> kept = OpenStream.untimed(letters.get(), found).cursor()) {
      while (kept.hasNext()) {
        List<BsonDocument> batch = new ArrayList<>();
        while (batch.size() < MOST && kept.hasNext()) {
          batch.add(kept.next());
        }
        long handled = redrive(batch, source, intake);
        done += handled;
        left += batch.size() - handled;
      }
    }
    return new Redriven(done, left);
  }

  private long redrive(
      List<BsonDocument> batch, MongoCollection<?> source, Intake<StreamedChange> intake) {
    List<BsonDocument> whole =
        batch.stream().filter(l -> l.isDocument(DOCUMENT) || l.isDocument(EVENT)).toList();
    List<StreamedChange> changes = whole.stream().map(letter -> change(letter, source)).toList();
    List<Fate<StreamedChange>> fates = intake.take(changes).fates();
    long done = 0;
    for (int i = 0; i < whole.size(); i++) {
      if (fates.get(i).kind() == Kind.DONE) {
        done += letters.get().deleteOne(asRead(whole.get(i))).getDeletedCount();
      }
    }
    return done;
  }

  /** The letter, unless it was kept anew since it was read. */
  private static Bson asRead(BsonDocument letter) {
    return Filters.and(Filters.eq(ID, letter.get(ID)), Filters.eq(AT, letter.get(AT)));
  }

  private static StreamedChange change(BsonDocument letter, MongoCollection<?> source) {
    String name = source.getNamespace().getFullName();
    if (letter.isDocument(DOCUMENT)) {
      return StreamedChange.of(name, source.getCodecRegistry(), letter.getDocument(DOCUMENT));
    }
    return StreamedChange.of(
        name, source.getCodecRegistry(), StreamEvents.event(letter.getDocument(EVENT)), null);
  }
}
