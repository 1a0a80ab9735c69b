package dev.tidemark.mongodb;

import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;

/** Events of a change stream as documents. */
final class StreamEvents {
  private static final Codec<ChangeStreamDocument<RawBsonDocument>> CODEC =
      ChangeStreamDocument.createCodec(RawBsonDocument.class, OwnCollection.CODECS);

  private StreamEvents() {}

  static BsonDocument document(ChangeStreamDocument<RawBsonDocument> event) {
    BsonDocument document = new BsonDocument();
    CODEC.encode(new BsonDocumentWriter(document), event, EncoderContext.builder().build());
    return document;
  }

  static ChangeStreamDocument<RawBsonDocument> event(BsonDocument document) {
    return CODEC.decode(new BsonDocumentReader(document), DecoderContext.builder().build());
  }

  /** One event of the parts that a server has made of it; its place is that of the last one. */
  static ChangeStreamDocument<RawBsonDocument> joined(
      List<ChangeStreamDocument<RawBsonDocument>> parts) {
    BsonDocument whole = new BsonDocument();
    parts.forEach(part -> whole.putAll(document(part)));
    whole.remove("splitEvent");
    return event(whole);
  }
}
