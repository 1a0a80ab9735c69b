package dev.tidemark.mongodb;

import dev.tidemark.tck.View;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonWriter;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;

/** Views whose two key properties make a compound {@code _id}. */
final class CompositeViewCodec implements Codec<View> {
  private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

  private final Codec<View> mapper;

  CompositeViewCodec(CodecRegistry registry) {
    this.mapper = registry.get(View.class);
  }

  @Override
  public void encode(BsonWriter writer, View view, EncoderContext context) {
    BsonDocument document = new BsonDocument();
    try (BsonDocumentWriter inner = new BsonDocumentWriter(document)) {
      mapper.encode(inner, view, context);
    }
    BsonDocument id = new BsonDocument();
    id.put("id", document.getOrDefault("_id", new BsonString("")));
    id.put("sort", document.getOrDefault("sort", new BsonString("")));
    document.remove("sort");
    document.put("_id", id);
    DOCUMENTS.encode(writer, document, context);
  }

  @Override
  public View decode(BsonReader reader, DecoderContext context) {
    BsonDocument document = DOCUMENTS.decode(reader, context);
    BsonDocument id = document.getDocument("_id");
    document.put("_id", id.get("id"));
    document.put("sort", id.get("sort"));
    try (BsonDocumentReader inner = new BsonDocumentReader(document)) {
      return mapper.decode(inner, context);
    }
  }

  @Override
  public Class<View> getEncoderClass() {
    return View.class;
  }
}
