package dev.tidemark.benchmarks.jmh;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.result.UpdateResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
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
              case "findOneAndUpdate" -> image;
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
