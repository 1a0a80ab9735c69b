package dev.tidemark.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.FullDocument;
import dev.tidemark.intake.Intake;
import dev.tidemark.kernel.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** Settings of a {@link ChangeStreamIntake}. For one thread. */
public final class ChangeStreamIntakeBuilder {
  final MongoClient client;
  final MongoCollection<?> source;
  final Intake<StreamedChange> intake;
  final StreamRecord record;
  List<? extends Bson> pipeline =
      List.of(
          new BsonDocument("$match", new BsonDocument("operationType", new BsonString("insert"))));
  FullDocument fullDocument = FullDocument.DEFAULT;
  Bson reading = new BsonDocument();
  boolean readsFirst = true;
  boolean readsAgain = true;
  int mostHeld = 10_000;
  Backoff pauses = Backoff.ofIntake(Duration.ofMillis(250), Duration.ofSeconds(10));
  Duration savingEvery = Duration.ofSeconds(1);
  Clock clock = Clock.systemUTC();
  LongSupplier nanos = System::nanoTime;

  ChangeStreamIntakeBuilder(
      MongoClient client,
      MongoCollection<?> source,
      Intake<StreamedChange> intake,
      MongoCollection<?> places,
      String name) {
    this.client = Objects.requireNonNull(client, "client");
    this.source = Objects.requireNonNull(source, "source");
    this.intake = Objects.requireNonNull(intake, "intake");
    if (places.getNamespace().equals(source.getNamespace())) {
      throw new IllegalArgumentException(
          "places must not be the collection whose changes are read: " + source.getNamespace());
    }
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty");
    }
    this.record = new StreamRecord(places, source.getNamespace().getFullName(), name);
  }

  /** Copies settings, so that no later call changes what is built. */
  private ChangeStreamIntakeBuilder(ChangeStreamIntakeBuilder other) {
    this.client = other.client;
    this.source = other.source;
    this.intake = other.intake;
    this.record = other.record;
    this.pipeline = other.pipeline;
    this.fullDocument = other.fullDocument;
    this.reading = other.reading;
    this.readsFirst = other.readsFirst;
    this.readsAgain = other.readsAgain;
    this.mostHeld = other.mostHeld;
    this.pauses = other.pauses;
    this.savingEvery = other.savingEvery;
    this.clock = other.clock;
    this.nanos = other.nanos;
  }

  /**
   * Which events of the stream are handed over, in place of all inserts. A stream that is to hear
   * of updates needs an identity for them, and a decoder that knows a document that was {@linkplain
   * #readingFirst read from the collection}.
   *
   * <p>The identity of an update has to come from the document: with a version that each update
   * raises, such as {@code SourceEvent.of("order", id, version)} under a policy that drops late
   * events. {@link ChangeStreamIntake#identity} tells updates apart by their places in the stream,
   * and a document that is read has no such place: it is known by its {@code _id} alone. Where the
   * history is lost and the collection is read again, such a document is a duplicate, and the
   * updates that were missed stay missing. A stream with that identity is to {@linkplain
   * #endingWhereHistoryIsLost end} there.
   *
   * <p>An insert is known by the {@code _id} of its {@code documentKey}, or of its {@code
   * fullDocument} where the key is projected away. An insert that has neither, or no {@code
   * operationType}, is known by its place in the stream alone: it is another change than the same
   * document that was read from the collection.
   *
   * @param stages of an aggregation pipeline on events, such as {@code
   *     Aggregates.match(in("operationType", "insert", "replace"))}; they keep the field {@code
   *     _id}
   * @return this builder
   */
  public ChangeStreamIntakeBuilder pipeline(List<? extends Bson> stages) {
    this.pipeline = List.copyOf(stages);
    return this;
  }

  /**
   * Which document comes with an update.
   *
   * @param fullDocument none unless given. {@code UPDATE_LOOKUP} is what is stored when the event
   *     is read, which may be the work of a later update
   * @return this builder
   */
  public ChangeStreamIntakeBuilder fullDocument(FullDocument fullDocument) {
    this.fullDocument = Objects.requireNonNull(fullDocument, "fullDocument");
    return this;
  }

  /**
   * Reads the collection before the stream, where the stream has no place yet, and where the
   * server's history has lost its place. This is so unless {@link #fromNow} is chosen.
   *
   * @param filter which documents; all unless given
   * @return this builder
   */
  public ChangeStreamIntakeBuilder readingFirst(Bson filter) {
    this.reading = Objects.requireNonNull(filter, "filter");
    this.readsFirst = true;
    this.readsAgain = true;
    return this;
  }

  /**
   * Leaves out what is in the collection when the stream is run for the first time. Nothing is
   * handed over before its place is kept. The collection then cannot be read again either where the
   * server's history has lost the stream's place: {@link ChangeStreamIntake#run} ends with an error
   * that says so.
   *
   * @return this builder
   */
  public ChangeStreamIntakeBuilder fromNow() {
    this.readsFirst = false;
    this.readsAgain = false;
    return this;
  }

  /**
   * Ends {@link ChangeStreamIntake#run} with an error where the server's history has lost the
   * stream's place, in place of reading the collection again: for a collection that forgets
   * documents sooner than the views may.
   *
   * @return this builder
   */
  public ChangeStreamIntakeBuilder endingWhereHistoryIsLost() {
    this.readsAgain = false;
    return this;
  }

  /**
   * How many changes that are not done may be held while later ones go on. Beyond that the stream
   * waits for them.
   *
   * @param changes 1 to 100,000; 10,000 unless given
   * @return this builder
   */
  public ChangeStreamIntakeBuilder holdingAtMost(int changes) {
    if (changes < 1 || changes > 100_000) {
      throw new IllegalArgumentException(
          "the bound of held changes must be 1 to 100000, was " + changes);
    }
    this.mostHeld = changes;
    return this;
  }

  /**
   * How long to wait before what is not done is tried again, and before another attempt after an
   * error of the server: twice as long each time. What comes meanwhile is handled together with
   * what is held, after the first pause at the latest.
   *
   * @param first 250 ms unless given
   * @param longest 10 s unless given
   * @return this builder
   */
  public ChangeStreamIntakeBuilder pauses(Duration first, Duration longest) {
    this.pauses = Backoff.ofIntake(first, longest);
    return this;
  }

  /**
   * How often the stream's place is kept, while it moves: one small write each time. What was done
   * since comes again after a crash, as duplicates.
   *
   * @param time at least a millisecond; a second unless given
   * @return this builder
   */
  public ChangeStreamIntakeBuilder savingEvery(Duration time) {
    if (time.toMillis() < 1) {
      throw new IllegalArgumentException(
          "the time between two places must be at least 1 ms, was " + time);
    }
    this.savingEvery = time;
    return this;
  }

  /** For tests, in which time passes by itself. */
  ChangeStreamIntakeBuilder time(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    return this;
  }

  /**
   * Makes the consumer, which asks the server for nothing yet.
   *
   * @return to be run by a thread of the caller's
   */
  public ChangeStreamIntake build() {
    return new ChangeStreamIntake(new ChangeStreamIntakeBuilder(this));
  }
}
