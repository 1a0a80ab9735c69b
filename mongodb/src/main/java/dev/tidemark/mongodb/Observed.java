package dev.tidemark.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.StoreObserver;
import dev.tidemark.metrics.MarkCost;
import dev.tidemark.metrics.StoreCall;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/**
 * The commands of one call, counted. How large a document is tells the server, in the replies that
 * bring a document's marks.
 */
final class Observed extends Transport {
  private static final long LIMIT = 16 * 1024 * 1024L;
  private static final String BYTES = "_tidemark#bytes";
  private static final String MARK_BYTES = "_tidemark#markBytes";

  /** What the length and the end of a document take. */
  private static final long FRAME = 5;

  private final Observation observation;

  Observed(Transport transport, Observation observation) {
    super(transport);
    this.observation = observation;
  }

  /** Makes a call and tells of it when it has ended. */
  static <R> R tell(
      StoreObserver observer, StoreCall.Method method, Function<Observation, R> call) {
    Observation observation = observer.start(method);
    R result;
    try {
      result = call.apply(observation);
    } catch (RuntimeException | Error e) {
      observation.failed(e);
      throw e;
    }
    observation.ended(result);
    return result;
  }

  @Override
  MongoCollection<BsonDocument> writes() {
    observation.write();
    return super.writes();
  }

  @Override
  MongoCollection<BsonDocument> writes(List<? extends WriteModel<BsonDocument>> bulk) {
    bulk.stream().map(Object::getClass).distinct().forEach(kind -> observation.write());
    return super.writes(bulk);
  }

  @Override
  MongoCollection<BsonDocument> reads() {
    observation.read();
    return super.reads();
  }

  @Override
  void asksStream() {
    observation.read();
  }

  @Override
  BsonDocument measuring(BsonDocument projection, Names names) {
    BsonDocument marks = new BsonDocument();
    String events =
        names.path(names.mark(Source.of("any", "any"), Names.Part.FLOOR)).segments().get(0);
    Stream.of(
            names.revision(),
            names.birth(),
            names.tombstone(),
            names.since(),
            names.closed(),
            names.full(),
            events)
        .forEach(name -> append(marks, name));
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      append(marks, names.ids(slot));
    }
    return projection
        .append("_id", new BsonInt32(1))
        .append(BYTES, Expressions.op("$bsonSize", Expressions.ROOT))
        .append(MARK_BYTES, Expressions.op("$bsonSize", marks));
  }

  private static void append(BsonDocument marks, String name) {
    marks.append(name, Conditions.value(Path.of(name)));
  }

  @Override
  void saw(BsonDocument image) {
    BsonValue id = image.get("_id");
    if (id != null && image.isNumber(BYTES) && image.isNumber(MARK_BYTES)) {
      long marks = image.getNumber(MARK_BYTES).longValue() - FRAME;
      long bytes = image.getNumber(BYTES).longValue();
      observation.size(id, new StoreCall.Size(bytes, LIMIT, MarkCost.stored(marks)));
    }
  }
}
