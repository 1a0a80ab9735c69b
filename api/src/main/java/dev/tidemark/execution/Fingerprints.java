package dev.tidemark.execution;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.tidemark.kernel.Faults;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Digests that equal requests share, whatever the order of their maps, sets and properties. A
 * property that is null counts as one that is not there.
 */
final class Fingerprints {
  /** How earlier versions wrote requests, whatever the user's mapper was. */
  private static final ObjectWriter EARLIER =
      JsonMapper.builder()
          .findAndAddModules()
          .addModule(
              new SimpleModule()
                  .addSerializer(
                      new SortedSets(one -> Fingerprints.EARLIER.writeValueAsString(one))))
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build()
          .writer();

  private static final JsonFactory PLAIN = new JsonFactory();

  private final ObjectMapper mapper;

  /** By a mapper that nobody changes. */
  Fingerprints(ObjectMapper own) {
    this.mapper = own.copy();
    mapper
        .getFactory()
        .setStreamReadConstraints( // of what is written here, and not stored
            StreamReadConstraints.builder()
                .maxStringLength(Integer.MAX_VALUE)
                .maxNumberLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .build());
    mapper.registerModule(
        new SimpleModule()
            .addSerializer(
                new SortedSets(one -> new String(canonicalOf(one), StandardCharsets.UTF_8))));
  }

  /** What a request is compared by. */
  Fingerprint of(@Nullable Object request) {
    if (request == null) {
      return Fingerprint.stored(digest("none", new byte[0]));
    }
    if (request instanceof byte[] raw) {
      return Fingerprint.stored(digest("some", raw));
    }
    try {
      byte[] canonical = canonicalOf(request);
      return new Fingerprint(
          digest("some", canonical), stored -> isEarlier(request, canonical, stored));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException(
          "the request cannot be written as JSON, by which it is compared", Faults.silent(e));
    }
  }

  /**
   * Whether an earlier version stored that for the request. It wrote requests by a mapper of its
   * own, so what it wrote counts only where the user's mapper means the same.
   */
  private boolean isEarlier(Object request, byte[] canonical, String stored) {
    try {
      byte[] before = EARLIER.writeValueAsBytes(request);
      return digest("some", before).equals(stored)
          && Arrays.equals(canonical(new String(before, StandardCharsets.UTF_8)), canonical);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static String digest(String kind, byte[] bytes) {
    return Json.digest(kind.getBytes(StandardCharsets.UTF_8), bytes);
  }

  private byte[] canonicalOf(@Nullable Object value) throws IOException {
    return canonical(mapper.writeValueAsString(value));
  }

  private byte[] canonical(String json) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonParser from = mapper.getFactory().createParser(json);
        JsonGenerator to = PLAIN.createGenerator(bytes)) {
      from.nextToken();
      write(read(from), to);
    }
    return bytes.toByteArray();
  }

  /** A number as it is spelled. */
  private record Digits(String text) {}

  private static @Nullable Object read(JsonParser from) throws IOException {
    JsonToken token = from.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, Object> fields = new TreeMap<>();
      while (from.nextToken() != JsonToken.END_OBJECT) {
        String name = from.currentName();
        from.nextToken();
        Object value = read(from);
        if (value != null) {
          fields.put(name, value);
        }
      }
      return fields;
    }
    if (token == JsonToken.START_ARRAY) {
      List<@Nullable Object> elements = new ArrayList<>();
      while (from.nextToken() != JsonToken.END_ARRAY) {
        elements.add(read(from));
      }
      return elements;
    }
    if (token == null || token == JsonToken.VALUE_NULL) {
      return null;
    }
    return token.isBoolean()
        ? (Object) from.getBooleanValue()
        : token.isNumeric() ? new Digits(from.getText()) : from.getText();
  }

  private static void write(@Nullable Object value, JsonGenerator to) throws IOException {
    if (value instanceof Map<?, ?> fields) {
      to.writeStartObject();
      for (Map.Entry<?, ?> field : fields.entrySet()) {
        to.writeFieldName((String) field.getKey());
        write(field.getValue(), to);
      }
      to.writeEndObject();
    } else if (value instanceof List<?> elements) {
      to.writeStartArray();
      for (Object element : elements) {
        write(element, to);
      }
      to.writeEndArray();
    } else if (value instanceof Digits digits) {
      to.writeNumber(digits.text());
    } else if (value instanceof Boolean is) {
      to.writeBoolean(is);
    } else if (value == null) {
      to.writeNull();
    } else {
      to.writeString((String) value);
    }
  }
}
