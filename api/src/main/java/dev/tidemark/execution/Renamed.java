package dev.tidemark.execution;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Tells a value of another version, which has a property more or less, from one of another shape,
 * of which nothing but defaults would be left: an object that has properties which the class does
 * not have, and lacks others that the class has.
 */
final class Renamed extends DeserializationProblemHandler {
  private boolean seen;

  @Override
  public boolean handleUnknownProperty(
      DeserializationContext context,
      JsonParser parser,
      JsonDeserializer<?> deserializer,
      Object type,
      String name) {
    seen = true;
    return false; // the mapper goes on as it would
  }

  /**
   * Whether a value is of another shape than its text. What reads no unknown property is not looked
   * at further.
   */
  boolean isSeen(ObjectMapper mapper, Class<?> type, Object value, String json)
      throws JsonProcessingException {
    return seen
        && differs(
            mapper.readTree(json),
            mapper.readTree(mapper.writerFor(type).writeValueAsString(value)));
  }

  private static boolean differs(@Nullable JsonNode stored, @Nullable JsonNode read) {
    if (stored == null || read == null) {
      return false;
    }
    if (stored.isObject() && read.isObject() && lacks(read, stored) && lacks(stored, read)) {
      return true;
    }
    for (int i = 0; i < stored.size() && stored.isArray(); i++) {
      if (differs(stored.get(i), read.get(i))) {
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

  private static boolean lacks(JsonNode one, JsonNode other) {
    for (Iterator<String> names = other.fieldNames(); names.hasNext(); ) {
      if (!one.has(names.next())) {
        return true;
      }
    }
    return false;
  }
}
