package dev.tidemark.execution;

import static com.fasterxml.jackson.core.JsonToken.START_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.START_OBJECT;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells a value of another version, which has a property more or less, from one of another shape,
 * of which nothing but defaults would be left: an object that has properties which the class does
 * not have, and lacks others that the class has. What a class computes, and writes without reading
 * it, is not one of these. An object of which no property is read, as one whose getters have other
 * names than its fields, must be the same when it is written again.
 */
final class Renamed extends DeserializationProblemHandler {
  /** Where an object is in the text, as far as Jackson tells, and who reads its class. */
  private record Place(JsonPointer at, JsonDeserializer<?> by) {}

  /** Names of properties of one object that its reader does not know, and whether it is found. */
  private record Met(JsonDeserializer<?> by, Set<String> names, boolean isThere) {}

  /** Names of properties that were met there, and that the class does not have. */
  private final Map<Place, Set<String>> unknown = new HashMap<>();

  private final IdentityHashMap<JsonNode, List<Met>> objects = new IdentityHashMap<>();

  /** What was met in an object of which Jackson did not tell the place, as of some buffers. */
  private final List<Met> placeless = new ArrayList<>();

  /** Those that the class itself writes. */
  private Set<String> computed = Set.of();

  private final boolean isNew;

  /**
   * Of one text.
   *
   * @param isNew whether it was written now, by this version of the class
   */
  Renamed(boolean isNew) {
    this.isNew = isNew;
  }

  @Override
  public boolean handleUnknownProperty(
      DeserializationContext context,
      JsonParser parser,
      JsonDeserializer<?> deserializer,
      Object type,
      String name) {
    JsonStreamContext at = parser.getParsingContext();
    int inner = parser.hasToken(START_OBJECT) || parser.hasToken(START_ARRAY) ? 2 : 1;
    for (int i = 0; i < inner && at.getParent() != null; i++) {
      at = at.getParent();
    }
    Place place = new Place(at.pathAsPointer(), deserializer);
    unknown.computeIfAbsent(place, any -> new HashSet<>()).add(name);
    return false; // the mapper goes on as it would
  }

  /** Finds the objects in the text, which is not where a buffer's path is another's. */
  private void locate(JsonNode text) {
    unknown.forEach(
        (place, names) -> {
          JsonNode node = text.at(place.at());
          boolean isThere = node.isObject() && names.stream().allMatch(node::has);
          (isThere ? objects.computeIfAbsent(node, any -> new ArrayList<>()) : placeless)
              .add(new Met(place.by(), names, isThere));
        });
  }

  /**
   * How a value is of another shape than its text; null if it is not. What reads no unknown
   * property is not looked at further.
   */
  @Nullable String seen(ObjectMapper mapper, Class<?> type, Object value, String json)
      throws JsonProcessingException {
    if (unknown.isEmpty()) {
      return null;
    }
    String own = mapper.writerFor(type).writeValueAsString(value);
    Renamed again = new Renamed(isNew);
    Object unused = mapper.readerFor(type).withHandler(again).readValue(own);
    computed = again.unknown.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    ObjectReader trees = mapper.reader().without(DeserializationFeature.UNWRAP_ROOT_VALUE);
    JsonNode stored = trees.readTree(json);
    JsonNode read = trees.readTree(own);
    locate(stored);
    if (differs(this::isRenamed, stored, read)) {
      return ("has properties that %s does not have, and lacks others that it has; if they were"
              + " renamed, let it have @JsonAlias")
          .formatted(type.getName());
    }
    return differs(this::isNothing, stored, read)
        ? ("has an object of which %s reads no property, so that another one would be read; let its"
                + " class have a constructor or setters for what is written, or a serializer")
            .formatted(type.getName())
        : null;
  }

  private boolean isRenamed(JsonNode stored, JsonNode read) {
    return stored.isObject() && read.isObject() && lacks(read, stored) && lacks(stored, read);
  }

  /** What a later version computes may be another; that it is no object any more tells enough. */
  private boolean isNothing(JsonNode stored, JsonNode read) {
    return stored.isObject()
        && (isNew ? !stored.equals(read) : read.isValueNode() && !read.isNull())
        && Stream.of(objects.getOrDefault(stored, List.of()), placeless)
            .flatMap(List::stream)
            .anyMatch(met -> isUnread(stored, met));
  }

  /** Whether a class reads no property of an object: at most what tells the class, which is one. */
  private static boolean isUnread(JsonNode stored, Met met) {
    int others = 0;
    for (Iterator<String> names = stored.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!met.names().contains(name)) {
        if (!(met.by() instanceof BeanDeserializerBase bean)
            || bean.findProperty(name) != null
            || stored.path(name).isContainerNode()
            || (!met.isThere() && !name.startsWith("@"))) { // as @type and @class do
          return false;
        }
        others++;
      }
    }
    return others <= 1 && others < stored.size();
  }

  private boolean differs(
      BiPredicate<JsonNode, JsonNode> other, @Nullable JsonNode stored, @Nullable JsonNode read) {
    if (stored == null || read == null) {
      return false;
    }
    if (other.test(stored, read)) {
      return true;
    }
    for (int i = 0; i < stored.size() && stored.isArray(); i++) {
      if (differs(other, stored.get(i), read.get(i)) && isInNone(other, stored.get(i), read)) {
        return true;
      }
    }
    for (Iterator<String> names = stored.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (differs(other, stored.get(name), read.get(name))) {
        return true;
      }
    }
    return false;
  }

  /** Whether no element is of the shape of one: those of a set come in any order. */
  private boolean isInNone(BiPredicate<JsonNode, JsonNode> other, JsonNode stored, JsonNode read) {
    for (JsonNode element : read) {
      if (!differs(other, stored, element)) {
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
