package dev.tidemark.execution;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Ids;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values as JSON, read back only as the type that was asked for. */
final class Json {
  /** Equal values are the same text, whatever the order of their maps, sets and properties. */
  static final ObjectWriter CANONICAL =
      JsonMapper.builder()
          .findAndAddModules()
          .addModule(new SimpleModule().addSerializer(new SortedSets()))
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build()
          .writer();

  private final ObjectMapper mapper;

  /**
   * By a mapper.
   *
   * @param mapper without default typing: what is stored must not choose the class
   * @throws IllegalArgumentException if the mapper has default typing
   */
  Json(ObjectMapper mapper) {
    if (mapper.getDeserializationConfig().getDefaultTyper(mapper.constructType(Object.class))
        != null) {
      throw new IllegalArgumentException(
          "the mapper has default typing, by which stored results would choose their own class");
    }
    this.mapper = mapper;
  }

  /** A value for the record. */
  Stored store(Class<?> type, Object value) {
    return new Stored(type.getName(), text(type, value));
  }

  /** A value as JSON. */
  String text(Class<?> type, Object value) {
    try {
      return mapper.writerFor(type).writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          type.getName() + " cannot be written as JSON", Faults.silent(e));
    }
  }

  /** A value of the record, which must have been stored as the same type. */
  <R> R read(String what, Class<R> type, @Nullable Stored stored) {
    if (stored == null || stored.json() == null) {
      throw new CorruptRecordException(what + " has no value stored", null, null);
    }
    if (!stored.type().equals(type.getName())) {
      throw new CorruptRecordException(
          what + " is stored as " + stored.type() + ", and is asked for as " + type.getName(),
          null,
          null);
    }
    return read(what, type, stored.json());
  }

  <R> R read(String what, Class<R> type, String json) {
    try {
      R value = mapper.readValue(json, type);
      if (value == null) {
        throw new CorruptRecordException(what + " is stored as null", null, null);
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new CorruptRecordException(
          what + " cannot be read as " + type.getName(), null, Faults.silent(e));
    }
  }

  /** A digest that equal requests share, whatever the order of their maps, sets and properties. */
  String fingerprint(@Nullable Object request) {
    try {
      byte[] bytes =
          request instanceof byte[] raw
              ? raw
              : request == null ? new byte[0] : CANONICAL.writeValueAsBytes(request);
      return digest((request == null ? "none" : "some").getBytes(StandardCharsets.UTF_8), bytes);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "the request cannot be written as JSON, by which it is compared", Faults.silent(e));
    }
  }

  /** The first half of a SHA-256, in hexadecimal digits. */
  static String digest(byte[]... parts) {
    return HexFormat.of().formatHex(sha256(parts), 0, 16);
  }

  /** A UUID of version 8 that follows from a text, and tells nothing of it. */
  static UUID uuid(String text) {
    return Ids.uuid(sha256(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        sha.update(part);
      }
      return sha.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
