package dev.tidemark.execution;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Misuse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
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
  private final ObjectMapper plain;

  /**
   * By mappers that nobody changes.
   *
   * @param plain for what is {@link MapperIndependent}
   */
  Fingerprints(ObjectMapper own, ObjectMapper plain) {
    this.mapper = unbounded(own);
    this.plain = unbounded(plain);
  }

  private static ObjectMapper unbounded(ObjectMapper own) {
    ObjectMapper copy = own.copy();
    copy.getFactory()
        .setStreamReadConstraints( // of what is written here, and not stored
            StreamReadConstraints.builder()
                .maxStringLength(Integer.MAX_VALUE)
                .maxNumberLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .build());
    return copy;
  }

  private ObjectMapper by(Class<?> type) {
    return MapperIndependent.class.isAssignableFrom(type) ? plain : mapper;
  }

  /** Makes the types that values are declared as. */
  TypeFactory types() {
    return mapper.getTypeFactory();
  }

  /** What a request is compared by, whose type nobody has declared. */
  Fingerprint of(@Nullable Object request) {
    Class<?> type = request == null ? Object.class : request.getClass();
    return of(request, () -> read(written(by(type).writer(), request)));
  }

  /** What a request is compared by that is declared as a type. */
  Fingerprint of(Class<?> type, @Nullable Object request) {
    return of(request, () -> declared(types().constructType(type), request));
  }

  /** What several values are compared by together, each of which is declared as a type. */
  Fingerprint ofAll(List<JavaType> types, List<@Nullable Object> values) {
    return of(
        values,
        () -> {
          List<@Nullable Object> all = new ArrayList<>();
          for (int i = 0; i < values.size(); i++) {
            all.add(declared(types.get(i), values.get(i)));
          }
          return all;
        });
  }

  /** A value as the mapper writes a property of that type, which may name the value's class. */
  private @Nullable Object declared(JavaType type, @Nullable Object value) throws IOException {
    JavaType reference = types().constructReferenceType(AtomicReference.class, type);
    ObjectWriter writer = by(type.getRawClass()).writerFor(reference);
    return read(written(writer, new AtomicReference<@Nullable Object>(value)));
  }

  private Fingerprint of(@Nullable Object request, Model model) {
    if (request == null) {
      return Fingerprint.stored(digest("none", new byte[0]));
    }
    if (request instanceof byte[] raw) {
      return Fingerprint.stored(digest("some", raw));
    }
    try {
      byte[] canonical = canonical(model.read());
      return new Fingerprint(
          digest("some", canonical), stored -> isEarlier(request, canonical, stored));
    } catch (Throwable e) {
      throw new Misuse.Argument(
          "the request cannot be written as JSON, by which it is compared"
              + MissingModules.behind(mapper.getSerializationConfig(), e),
          Faults.silent(Faults.survived(e)));
    }
  }

  /**
   * Whether an earlier version stored that for the request. It wrote requests by a mapper of its
   * own, so what it wrote counts only where the user's mapper means the same.
   */
  private boolean isEarlier(Object request, byte[] canonical, String stored) {
    try {
      Written before = written(EARLIER, request);
      return digest("some", before.json.getBytes(StandardCharsets.UTF_8)).equals(stored)
          && Arrays.equals(canonical(read(before)), canonical);
    } catch (Throwable e) {
      Throwable unused = Faults.survived(e);
      return false;
    }
  }

  private static String digest(String kind, byte[] bytes) {
    return Json.digest(kind.getBytes(StandardCharsets.UTF_8), bytes);
  }

  /** What a request means: maps of lists by name, lists, texts. */
  @FunctionalInterface
  private interface Model {
    @Nullable Object read() throws IOException;
  }

  /**
   * What a mapper wrote.
   *
   * @param sets the places at which a set begins
   */
  private record Written(String json, Set<Long> sets) {}

  private static Written written(ObjectWriter by, @Nullable Object value) throws IOException {
    StringWriter json = new StringWriter();
    try (NotedSets noted = new NotedSets(by.createGenerator(json), json)) {
      by.writeValue(noted, value);
      return new Written(noted.end(), noted.places());
    }
  }

  private static byte[] canonical(@Nullable Object model) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator to = PLAIN.createGenerator(bytes)) {
      write(model, to);
    }
    return bytes.toByteArray();
  }

  /** A number as it is spelled. */
  private record Digits(String text) {}

  /** An element of a set, as it is written. */
  private record Element(String json) {}

  private @Nullable Object read(Written written) throws IOException {
    try (JsonParser from = mapper.getFactory().createParser(written.json)) {
      from.nextToken();
      return read(from, written.sets);
    }
  }

  private static @Nullable Object read(JsonParser from, Set<Long> sets) throws IOException {
    JsonToken token = from.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, List<Object>> fields = new TreeMap<>();
      while (from.nextToken() != JsonToken.END_OBJECT) {
        String name = from.currentName();
        from.nextToken();
        Object value = read(from, sets);
        if (value != null) { // a mapper may write a name twice
          fields.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
        }
      }
      return fields;
    }
    if (token == JsonToken.START_ARRAY) {
      boolean set = sets.contains(from.currentTokenLocation().getCharOffset());
      List<@Nullable Object> elements = new ArrayList<>();
      while (from.nextToken() != JsonToken.END_ARRAY) {
        elements.add(read(from, sets));
      }
      return set ? sorted(elements) : elements;
    }
    if (token == null || token == JsonToken.VALUE_NULL) {
      return null;
    }
    return token.isBoolean()
        ? (Object) from.getBooleanValue()
        : token.isNumeric() ? new Digits(from.getText()) : from.getText();
  }

  /** Equal sets have equal elements, and differ in the order of these. */
  private static List<@Nullable Object> sorted(List<@Nullable Object> set) throws IOException {
    List<Element> elements = new ArrayList<>();
    for (Object one : set) {
      elements.add(new Element(new String(canonical(one), StandardCharsets.UTF_8)));
    }
    elements.sort(Comparator.comparing(Element::json));
    return new ArrayList<>(elements);
  }

  private static void write(@Nullable Object value, JsonGenerator to) throws IOException {
    if (value instanceof Map<?, ?> fields) {
      to.writeStartObject();
      for (Map.Entry<?, ?> field : fields.entrySet()) {
        for (Object one : (List<?>) field.getValue()) {
          to.writeFieldName((String) field.getKey());
          write(one, to);
        }
      }
      to.writeEndObject();
    } else if (value instanceof List<?> elements) {
      to.writeStartArray();
      for (Object element : elements) {
        write(element, to);
      }
      to.writeEndArray();
    } else if (value instanceof Element element) {
      to.writeRawValue(element.json());
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
