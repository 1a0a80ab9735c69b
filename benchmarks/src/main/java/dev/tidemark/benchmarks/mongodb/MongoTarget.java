package dev.tidemark.benchmarks.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.benchmarks.growth.Target;
import dev.tidemark.benchmarks.measure.Store;
import dev.tidemark.mongodb.MongoEntityStore;
import java.time.Clock;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;

/**
 * Documents that grow in a mongod.
 *
 * @param mongo the store
 */
public record MongoTarget(MongoStore mongo) implements Target {
  /** A document takes more, but each message is compared with all ids, which takes its time. */
  private static final int IDS_WITH_PATIENCE = 11_000;

  @Override
  public Store store() {
    return mongo;
  }

  @Override
  public EntityStore<?> open(Tracking tracking, Clock clock) {
    return MongoEntityStore.builder(mongo.collections().orders())
        .tracking(tracking)
        .clock(clock)
        .build();
  }

  @Override
  public Watch watch() {
    MongoCollection<RawBsonDocument> oplog =
        mongo
            .collections()
            .client()
            .getDatabase("local")
            .getCollection("oplog.rs", RawBsonDocument.class);
    BsonDocument last = oplog.find().sort(Sorts.descending("$natural")).first();
    BsonTimestamp start = last == null ? new BsonTimestamp() : last.getTimestamp("ts");
    String orders = mongo.collections().orders().getNamespace().getFullName();
    return () -> {
      long bytes = 0;
      for (RawBsonDocument entry :
          oplog.find(Filters.and(Filters.gt("ts", start), Filters.eq("ns", orders)))) {
        bytes += entry.getByteBuffer().remaining();
      }
      return bytes;
    };
  }

  @Override
  public int idsThatFit() {
    return IDS_WITH_PATIENCE;
  }
}
