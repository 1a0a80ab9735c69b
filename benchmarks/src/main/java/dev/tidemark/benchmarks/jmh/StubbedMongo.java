package dev.tidemark.benchmarks.jmh;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.result.UpdateResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;

/** A collection that answers every update at once, with an image that a server gave for one. */
final class StubbedMongo {
  private static final UpdateResult UPDATED = UpdateResult.acknowledged(1, 1L, null);
  private static final MongoNamespace NAMESPACE = new MongoNamespace("bench.orders");

  private StubbedMongo() {}

  static MongoCollection<Document> answering(BsonDocument image) {
    return proxy(
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "findOneAndUpdate" -> written(image, arguments[1]);
              case "updateOne" -> {
                // What the driver does with filters and updates that are not rendered yet.
                render((Bson) arguments[0]);
                render((Bson) arguments[1]);
                yield UPDATED;
              }
              case "getNamespace" -> NAMESPACE;
              case "getDocumentClass" -> Document.class;
              case "getCodecRegistry" -> MongoClientSettings.getDefaultCodecRegistry();
              case "getWriteConcern" -> WriteConcern.MAJORITY;
              case "getReadConcern" -> ReadConcern.DEFAULT;
              case "withDocumentClass",
                  "withCodecRegistry",
                  "withWriteConcern",
                  "withReadPreference",
                  "withReadConcern" ->
                  proxy;
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  /** An image after a pipeline has the revision that the pipeline gives. */
  private static BsonDocument written(BsonDocument image, Object update) {
    if (!(update instanceof List<?> stages) || !(stages.get(0) instanceof BsonDocument stage)) {
      return image;
    }
    BsonArray branches = stage.getDocument("$replaceWith").getArray("$cond");
    BsonArray merged = branches.get(1).asDocument().getArray("$mergeObjects");
    BsonDocument after = new BsonDocument();
    after.putAll(image);
    return after.append("_rev", merged.get(1).asDocument().get("_rev"));
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
