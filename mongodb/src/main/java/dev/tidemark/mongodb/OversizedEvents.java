package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/**
 * Finds the event that has more than the 16 MB that a server gives at a time, and the way past it.
 * The server fails the whole reply that would have it, so the stream is read event by event until
 * that one is the next. A narrow stream at the same place then tells which document it is of, and
 * where the stream goes on: the change is handed over without what it had. For one thread.
 */
final class OversizedEvents {
  private enum Way {
    AS_EVER,
    ONE_BY_ONE,
    PAST_IT
  }

  private static final int TRIES = 50;

  /** A stage that a server takes nowhere but at the end. */
  private static final String SPLITTING = "$changeStreamSplitLargeEvent";

  /** What of an event has always room. */
  private static final Bson NARROW =
      Aggregates.project(
          Projections.include("_id", "operationType", "ns", "documentKey", "clusterTime"));

  private final ChangeStreamIntakeBuilder settings;
  private final StreamFaults faults;
  private Way way = Way.AS_EVER;
  private MongoException answer = new MongoException("none yet");

  OversizedEvents(ChangeStreamIntakeBuilder settings, StreamFaults faults) {
    this.settings = settings;
    this.faults = faults;
  }

  /** Whether events are to be read one by one. */
  boolean isNear() {
    return way == Way.ONE_BY_ONE;
  }

  /** The stream is past it, without having met it again. */
  void past() {
    way = Way.AS_EVER;
  }

  /**
   * Takes note of an answer of the server.
   *
   * @param hasMoved whether something was read since the stream was opened
   * @return whether the answer tells of an event that is too large, and there is a way past it
   */
  boolean met(MongoException e, boolean hasMoved) {
    if (!Errors.isOversized(e) || way == Way.PAST_IT) {
      return false;
    }
    answer = e;
    way = way == Way.ONE_BY_ONE && !hasMoved ? Way.PAST_IT : Way.ONE_BY_ONE;
    return true;
  }

  /**
   * Takes the event as a change, once it is known to be the next one behind what was read.
   *
   * @throws IllegalStateException if the server does not show the event either way
   */
  void pass(StreamProgress progress) {
    if (way != Way.PAST_IT || progress.readUpTo() == null) {
      return;
    }
    List<Bson> pipeline = narrow(settings.pipeline, settings.source.getCodecRegistry());
    try (OpenStream narrow = new OpenStream(settings, progress, pipeline, 1)) {
      for (int i = 0; i < TRIES; i++) {
        List<StreamedChange> read = narrow.read(1);
        if (!read.isEmpty()) {
          way = Way.AS_EVER;
          progress.add(List.of(read.get(0).oversized()), narrow.token(), narrow.place());
          return;
        }
      }
    }
    throw faults.lasting(answer);
  }

  /** A pipeline that leaves of an event what has always room. A stage that splits stays last. */
  static List<Bson> narrow(List<? extends Bson> pipeline, CodecRegistry codecs) {
    List<Bson> narrow = new ArrayList<>(pipeline);
    int last = narrow.size() - 1;
    boolean splits =
        last >= 0
            && narrow.get(last).toBsonDocument(BsonDocument.class, codecs).containsKey(SPLITTING);
    narrow.add(splits ? last : last + 1, NARROW);
    return narrow;
  }
}
