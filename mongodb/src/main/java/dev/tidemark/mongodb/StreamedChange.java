package dev.tidemark.mongodb;

import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import dev.tidemark.TooLargeException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ChangeStreamIntake} hands over: an event of a change stream, or a document that was
 * there before and is read as if it had been inserted. It is not decoded yet, so that one that
 * cannot be is a dead letter. For any number of threads.
 */
public final class StreamedChange {
  private static final String ID = "_id";

  private final String source;
  private final CodecRegistry codecs;
  private final BsonValue id;
  private final boolean hasId;
  private final @Nullable BsonDocument document;
  private final @Nullable ChangeStreamDocument<RawBsonDocument> event;
  private final @Nullable BsonDocument before;
  private final boolean isOversized;

  private StreamedChange(
      String source,
      CodecRegistry codecs,
      @Nullable BsonDocument key,
      @Nullable BsonDocument document,
      @Nullable ChangeStreamDocument<RawBsonDocument> event,
      @Nullable BsonDocument before,
      boolean isOversized) {
    this.source = source;
    this.isOversized = isOversized;
    this.codecs = codecs;
    BsonDocument ofId = key == null || !key.containsKey(ID) ? document : key;
    BsonValue found = ofId == null ? null : ofId.get(ID);
    this.id = found == null ? BsonNull.VALUE : found;
    this.hasId = found != null;
    this.document = document;
    this.event = event;
    this.before = before;
  }

  /** An event that came behind a place; null where no place says that. */
  static StreamedChange of(
      String source,
      CodecRegistry codecs,
      ChangeStreamDocument<RawBsonDocument> event,
      @Nullable BsonDocument before) {
    return new StreamedChange(
        source, codecs, event.getDocumentKey(), event.getFullDocument(), event, before, false);
  }

  /** The same event, of which this is no more than the server could give. */
  StreamedChange oversized() {
    BsonDocument key = event == null ? null : event.getDocumentKey();
    return new StreamedChange(source, codecs, key, document, event, before, true);
  }

  /** A document of the collection. */
  static StreamedChange of(String source, CodecRegistry codecs, BsonDocument document) {
    return new StreamedChange(source, codecs, document, document, null, null, false);
  }

  /**
   * The document.
   *
   * @return as it was inserted; of an update what the stream was asked for and found
   * @throws IllegalArgumentException if the event came without one, as of a delete: it is a dead
   *     letter then, if the decoder lets that pass
   * @throws TooLargeException if the event has more bytes than the server gives at a time: it is a
   *     dead letter too
   */
  public BsonDocument document() {
    requireGiven();
    if (document == null) {
      throw new IllegalArgumentException("the event of the change stream has no document");
    }
    return document;
  }

  /**
   * The document as a class, by the codecs of the collection that the stream was made with.
   *
   * @param type such as a record
   * @param <T> the type
   * @return the document
   * @throws IllegalArgumentException if it is no such document, so that it is a dead letter
   * @throws TooLargeException as of {@link #document()}
   */
  public <T> T document(Class<T> type) {
    BsonDocument read = document();
    Codec<T> codec = codecs.get(type); // without one nothing can be read: that is no poison
    try {
      return Values.read(read, codec);
    } catch (BSONException | CodecConfigurationException e) {
      throw new IllegalArgumentException("the document is no " + type.getSimpleName(), e);
    }
  }

  /**
   * The event of the change stream, for pipelines that let more through than inserts.
   *
   * @return empty if the document was read from the collection
   * @throws TooLargeException as of {@link #document()}
   */
  public Optional<ChangeStreamDocument<RawBsonDocument>> event() {
    requireGiven();
    return Optional.ofNullable(event);
  }

  private void requireGiven() {
    if (isOversized) {
      OperationType type = event == null ? null : event.getOperationType();
      throw new TooLargeException(
          "the event ("
              + (type == null ? "of an unknown type" : type.getValue())
              + ") of the change stream of "
              + source
              + " has more than the 16 MB that MongoDB gives at a time: let the pipeline project"
              + " what it needs, or end with $changeStreamSplitLargeEvent; the dead letter names"
              + " the document",
          null,
          null);
    }
  }

  /** Whether it came without what it had, since that is more than the server gives. */
  boolean isOversized() {
    return isOversized;
  }

  /** The collection's full name. */
  String source() {
    return source;
  }

  /** Of the document; null if it is of none. */
  BsonValue id() {
    return id;
  }

  /** Where the stream was before it; null if the collection was read. */
  @Nullable BsonDocument before() {
    return before;
  }

  /**
   * An insert comes once for an id. Other events, and inserts whose id a pipeline has taken away,
   * are told apart by the stream's own place.
   */
  private boolean isInsert() {
    return event == null || (hasId && event.getOperationType() == OperationType.INSERT);
  }

  /** Whether the document alone says which change this is. */
  boolean isOfDocument() {
    return isInsert() && !isOversized && document != null && id.equals(document.get(ID));
  }

  /** By what its failures are counted, and its dead letter is known. */
  BsonDocument place() {
    BsonDocument place = new BsonDocument(ID, id);
    return isInsert()
        ? place
        : place.append("token", Objects.requireNonNull(event).getResumeToken().get("_data"));
  }

  /** Equal of equal places. */
  Object key() {
    return List.of(source, place());
  }

  /** Names the collection, and nothing of the document. */
  @Override
  public String toString() {
    return "StreamedChange of " + source;
  }
}
