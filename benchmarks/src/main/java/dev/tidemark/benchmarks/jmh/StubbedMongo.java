package dev.tidemark.benchmarks.jmh;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ListIndexesIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.result.UpdateResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A collection that answers every update at once, with an image that a server gave for one. */
final class StubbedMongo {
  private static final UpdateResult UPDATED = UpdateResult.acknowledged(1, 1L, null);
  private static final BulkWriteResult WRITTEN =
      BulkWriteResult.acknowledged(0, 1, 0, 1, List.of(), List.of());
  private static final MongoNamespace NAMESPACE = new MongoNamespace("bench.orders");
  private static final String REVISION = "_rev";
  private static final String LITERAL = "$literal";

  /** To what the server can evaluate; of the kind of collection it says nothing special. */
  private static final BsonDocument LEARNT = new BsonDocument("answer", BsonBoolean.TRUE);

  private StubbedMongo() {}

  static MongoCollection<Document> answering(BsonDocument image) {
    return proxy(
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "findOneAndUpdate" -> written(image, arguments[1]);
              case "updateOne" -> {
                rendered(arguments[0], arguments[1]);
                yield UPDATED;
              }
              case "bulkWrite" -> {
                ((List<?>) arguments[0]).forEach(StubbedMongo::rendered);
                yield WRITTEN;
              }
              case "listIndexes" -> iterable(ListIndexesIterable.class, null);
              case "aggregate" -> iterable(AggregateIterable.class, LEARNT);
              case "getNamespace" -> NAMESPACE;
              case "getDocumentClass" -> Document.class;
              case "getCodecRegistry" -> MongoClientSettings.getDefaultCodecRegistry();
              case "getWriteConcern" -> WriteConcern.MAJORITY;
              case "getReadConcern" -> ReadConcern.DEFAULT;
              default -> {
                if (!method.getName().startsWith("with")) {
                  throw new UnsupportedOperationException(method.getName());
                }
                yield proxy;
              }
            });
  }

  /** What a question is answered by when the store is made. */
  private static Object iterable(Class<?> type, @Nullable BsonDocument only) {
    return Proxy.newProxyInstance(
        StubbedMongo.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "first" -> only;
              case "into" -> into(arguments[0], only);
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  @SuppressWarnings("unchecked")
  private static Object into(Object target, @Nullable BsonDocument only) {
    if (only != null) {
      ((Collection<BsonDocument>) target).add(only);
    }
    return target;
  }

  /** An image after a pipeline has the revision that the pipeline gives. */
  private static BsonDocument written(BsonDocument image, Object update) {
    BsonValue revision = update instanceof List<?> stages ? firstAssigned(stages) : null;
    if (revision == null) {
      return image;
    }
    BsonDocument after = new BsonDocument();
    after.putAll(image);
    return after.append(REVISION, revision);
  }

  /** The first value that anything in the values assigns to the revision; null if nothing does. */
  private static @Nullable BsonValue firstAssigned(Collection<?> values) {
    for (Object value : values) {
      BsonValue found = value instanceof BsonValue bson ? assigned(bson) : null;
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable BsonValue assigned(BsonValue value) {
    if (value.isArray()) {
      return firstAssigned(value.asArray());
    }
    if (!value.isDocument()) {
      return null;
    }
    BsonValue own = value.asDocument().get(REVISION);
    if (own != null && own.isDocument()) {
      own = own.asDocument().get(LITERAL);
    }
    return own != null && own.isBinary() ? own : firstAssigned(value.asDocument().values());
  }

  private static void rendered(Object model) {
    UpdateOneModel<?> update = (UpdateOneModel<?>) model;
    rendered(update.getFilter(), update.getUpdate());
  }

  /** What the driver does with filters and updates that are not rendered yet. */
  private static void rendered(@Nullable Object filter, @Nullable Object update) {
    for (Object bson : new @Nullable Object[] {filter, update}) {
      if (bson instanceof Bson some) {
        render(some);
      }
    }
  }

  private static void render(Bson bson) {
    BsonDocument unused =
        bson.toBsonDocument(Document.class, MongoClientSettings.getDefaultCodecRegistry());
  }

  @SuppressWarnings("unchecked")
  static MongoCollection<Document> proxy(InvocationHandler handler) {
    return (MongoCollection<Document>)
        Proxy.newProxyInstance(
            StubbedMongo.class.getClassLoader(), new Class<?>[] {MongoCollection.class}, handler);
  }
}
