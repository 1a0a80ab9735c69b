package dev.tidemark.mongodb;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import org.jspecify.annotations.Nullable;

/** What ends a change stream, in words that say what is lost, if anything is, and what to do. */
final class StreamFaults {
  private final String source;
  private final StreamRecord record;

  StreamFaults(ChangeStreamIntakeBuilder settings) {
    this.source = settings.source.getNamespace().getFullName();
    this.record = settings.record;
  }

  /** What was met where the server's history does not reach back to the place. */
  String lostHistory() {
    return "the history of MongoDB (its oplog) does not reach back to the place of the change"
        + " stream of "
        + source
        + ", so changes may be missing since";
  }

  IllegalStateException lost(@Nullable MongoException why) {
    return new IllegalStateException(
        lostHistory() + "; delete " + record + ", and the stream starts as a new one", why);
  }

  /** What another attempt would not mend. The place stays where it is: nothing is lost. */
  RuntimeException lasting(MongoException e) {
    boolean isWithoutSessions = e.getClass() == MongoClientException.class;
    if (isWithoutSessions || Errors.isWithoutStreams(e)) {
      return new IllegalStateException(
          "MongoDB gives no change stream of "
              + source
              + ": it needs a replica set or a sharded cluster, and the rights find and"
              + " changeStream; or the pipeline has a stage that is none",
          e);
    }
    if (Errors.isHistoryLost(e) && !Errors.isOfPipeline(e)) {
      return new IllegalStateException(
          "the history of MongoDB (its oplog) does not reach back as far as it takes to read "
              + source,
          e);
    }
    return Errors.isOversized(e)
        ? new IllegalStateException(
            "an event of the change stream of "
                + source
                + " has more than the 16 MB that MongoDB gives, and nothing tells which one: let"
                + " the pipeline project what it needs, or end with $changeStreamSplitLargeEvent; "
                + record
                + " stays in front of it",
            e)
        : e;
  }

  IllegalStateException invalidated() {
    return new IllegalStateException(
        "the change stream of "
            + source
            + " has ended, since the collection was dropped or renamed, or its database dropped;"
            + " once that is mended, delete "
            + record
            + ", and the stream starts as a new one");
  }

  @Override
  public String toString() {
    return source;
  }
}
