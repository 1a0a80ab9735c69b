package dev.tidemark.example.orderhistory.carrier;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts poison into a collection, once: the document as it was, with the reason, under the same id.
 * One that leaves no room for the reason is kept by its id alone; the collection of events has it.
 * For one thread, but for {@link #count}.
 */
final class DeadLetterCollection implements BiConsumer<StreamedEvent, String> {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeStreamCarrier.class);

  /** The most bytes that MongoDB stores as one document. */
  private static final int LARGEST = 16 * 1024 * 1024;

  private final MongoCollection<Document> letters;
  private final Clock clock;
  private final AtomicLong count = new AtomicLong();

  DeadLetterCollection(MongoCollection<Document> letters, Clock clock) {
    this.letters = letters.withWriteConcern(WriteConcern.MAJORITY);
    this.clock = clock;
  }

  @Override
  public void accept(StreamedEvent event, String reason) {
    Object id = event.document().get("_id");
    Document letter =
        new Document("_id", id).append("reason", reason).append("at", clock.instant());
    Document whole = new Document(letter).append("document", event.document());
    var unused =
        letters.replaceOne(
            eq("_id", id), fits(whole) ? whole : letter, new ReplaceOptions().upsert(true));
    count.incrementAndGet();
    LOG.error("dead letter: {}", reason);
  }

  private boolean fits(Document letter) {
    Codec<Document> codec = letters.getCodecRegistry().get(Document.class);
    return new RawBsonDocument(letter, codec).getByteBuffer().remaining() <= LARGEST;
  }

  long count() {
    return count.get();
  }
}
