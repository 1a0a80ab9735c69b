package dev.tidemark.example.orderhistory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Events as JSON, as every carrier carries them: the fields of the record, and its class as {@code
 * type}. For any number of threads.
 */
public final class EventJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .registerSubtypes(types(Incoming.class).toArray(NamedType[]::new))
          .build();
  private static final ObjectReader READER = MAPPER.readerFor(Incoming.class);
  private static final ObjectWriter WRITER = MAPPER.writerFor(Incoming.class);

  private EventJson() {}

  /** Every event that a sealed type permits, by the name of its class. */
  private static Stream<NamedType> types(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(EventJson::types)
        : Stream.of(new NamedType(type, type.getSimpleName()));
  }

  /**
   * Reads an event.
   *
   * @param json what {@link #encode} wrote; null of a record without a value
   * @return the event, never null
   * @throws IllegalArgumentException if it is not an event, or lacks what {@link EventCheck} asks
   *     for; names neither payload nor values
   */
  public static Incoming decode(byte @Nullable [] json) {
    if (json == null) {
      throw new IllegalArgumentException("not an event: there is no value");
    }
    Incoming event;
    try {
      event = READER.readValue(json);
    } catch (IOException e) {
      throw new IllegalArgumentException("not an event: " + e.getClass().getSimpleName());
    }
    return EventCheck.checked(event);
  }

  /**
   * Reads an event.
   *
   * @param json what {@link #encode} wrote
   * @return the event, never null
   * @throws IllegalArgumentException if it is not an event, or lacks what {@link EventCheck} asks
   *     for; names neither payload nor values
   */
  public static Incoming decode(String json) {
    return decode(json.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes an event.
   *
   * @param event the event
   * @return JSON in UTF-8
   */
  public static byte[] encode(Incoming event) {
    try {
      return WRITER.writeValueAsBytes(event);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same as a text. */
  static String text(Incoming event) {
    return new String(encode(event), StandardCharsets.UTF_8);
  }
}
