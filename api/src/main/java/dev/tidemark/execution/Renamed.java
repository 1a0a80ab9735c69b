package dev.tidemark.execution;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells a value of another version, which has a property more or less, from one of another shape,
 * of which nothing but defaults would be left: an object that has properties which the class does
 * not have, and lacks others that the class has. What a class computes, and writes without reading
 * it, is not one of these.
 */
final class Renamed extends DeserializationProblemHandler {
  /** Names of properties that were read, and that their class does not have. */
  private final Set<String> unknown = new HashSet<>();

  /** Those that the class itself writes. */
  private Set<String> computed = Set.of();

  @Override
  public boolean handleUnknownProperty(
      DeserializationContext context,
      JsonParser parser,
      JsonDeserializer<?> deserializer,
      Object type,
      String name) {
    unknown.add(name);
    return false; // the mapper goes on as it would
  }

  /**
   * Whether a value is of another shape than its text. What reads no unknown property is not looked
   * at further.
   */
  boolean isSeen(ObjectMapper mapper, Class<?> type, Object value, String json)
      throws JsonProcessingException {
    if (unknown.isEmpty()) {
      return false;
    }
    String own = mapper.writerFor(type).writeValueAsString(value);
    Renamed again = new Renamed();
    Object unused = mapper.readerFor(type).withHandler(again).readValue(own);
    computed = again.unknown;
    ObjectReader trees = mapper.reader().without(DeserializationFeature.UNWRAP_ROOT_VALUE);
    return differs(trees.readTree(json), trees.readTree(own));
  }

  private boolean differs(@Nullable JsonNode stored, @Nullable JsonNode read) {
    if (stored == null || read == null) {
      return false;
    }
    if (stored.isObject() && read.isObject() && lacks(read, stored) && lacks(stored, read)) {
      return true;
    }
    for (int i = 0; i < stored.size() && stored.isArray(); i++) {
      if (differs(stored.get(i), read.get(i)) && isInNone(stored.get(i), read)) {
        return true;
      }
    }
    for (Iterator<String> names = stored.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (differs(stored.get(name), read.get(name))) {
        return true;
      }
    }
    return false;
  }

  /** Whether no element is of the shape of one: those of a set come in any order. */
  private boolean isInNone(JsonNode stored, JsonNode read) {
    for (JsonNode element : read) {
      if (!differs(stored, element)) {
        return false;
      }
    }
    return true;
  }

  private boolean lacks(JsonNode one, JsonNode other) {
    for (Iterator<String> names = other.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!one.has(name) && !computed.contains(name)) {
        return true;
      }
    }
    return false;
  }
}
