package dev.tidemark.benchmarks.jmh;

import com.mongodb.client.MongoCollection;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.measure.Meter;
import dev.tidemark.benchmarks.measure.OneByOne.Step;
import dev.tidemark.benchmarks.mongodb.Collections;
import dev.tidemark.benchmarks.mongodb.WithTidemark;
import dev.tidemark.benchmarks.server.MongoServer;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.Document;

/**
 * What a real server answers to Tidemark's updates of an entity that got 16 messages before, handed
 * to the benchmark's processes by system properties.
 */
final class RecordedImages {
  static final String NATIVE = "native";
  static final String PORTABLE = "portable";
  static final String BY_ID = "id";

  private static final String PROPERTY = "tidemark.image.";
  private static final int MESSAGES = 17;

  private RecordedImages() {}

  static BsonDocument read(String image) {
    return BsonDocument.parse(System.getProperty(PROPERTY + image, "{}"));
  }

  /** The images, by the system property that hands each of them over. */
  static Map<String, String> record() throws Exception {
    try (MongoServer server = MongoServer.start();
        Collections collections = new Collections(server.uri(), new Meter())) {
      return Map.of(
          PROPERTY + NATIVE, record(collections, store -> store::nativeUpdate),
          PROPERTY + PORTABLE, record(collections, store -> store::portableUpdate),
          PROPERTY + BY_ID, record(collections, store -> store::portableUpdateById));
    }
  }

  private static String record(Collections collections, Function<WithTidemark, Step> technique)
      throws Exception {
    collections.reset();
    collections.create(List.of("4711"));
    AtomicReference<Object> last = new AtomicReference<>(new BsonDocument());
    Step step = technique.apply(new WithTidemark(recording(collections.orders(), last)));
    for (int position = 1; position <= MESSAGES; position++) {
      step.apply(Event.of("4711", position));
    }
    return ((BsonDocument) last.get()).toJson();
  }

  private static MongoCollection<Document> recording(
      MongoCollection<?> real, AtomicReference<Object> last) {
    return StubbedMongo.proxy(
        (proxy, method, arguments) -> {
          try {
            Object answer = method.invoke(real, arguments);
            if (method.getName().equals("findOneAndUpdate")) {
              last.set(answer);
            }
            return answer instanceof MongoCollection<?> derived ? recording(derived, last) : answer;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
