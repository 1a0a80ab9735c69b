package dev.tidemark.mongodb;

import java.lang.invoke.MethodType;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** Which stored values the property of a class can take, by the codec that will read them. */
final class Numbers {
  private final CodecRegistry registry;

  Numbers(CodecRegistry registry) {
    this.registry = registry;
  }

  /** Whether the codec of a class reads a value; true where there is none to ask. */
  boolean reads(Class<?> type, BsonValue value) {
    Codec<?> codec = codec(MethodType.methodType(type).wrap().returnType());
    if (codec == null) {
      return true;
    }
    BsonDocument holder = new BsonDocument("v", value);
    try (BsonDocumentReader reader = new BsonDocumentReader(holder)) {
      reader.readStartDocument();
      reader.readName();
      return codec.decode(reader, DecoderContext.builder().build()) != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private @Nullable Codec<?> codec(Class<?> type) {
    try {
      return registry.get(type);
    } catch (CodecConfigurationException e) {
      return null;
    }
  }
}
