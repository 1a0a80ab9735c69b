package dev.tidemark.mongodb;

import dev.tidemark.Path;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.pojo.annotations.BsonDiscriminator;
import org.bson.codecs.pojo.annotations.BsonExtraElements;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What an entity class maps, and what its key is: the check of names that a change gives, and of
 * the type of {@code _id}.
 */
final class MappedNames {
  private final String owner;
  private final Map<String, String> storedNames;
  private final @Nullable Class<?> idType;
  private final boolean anyName;

  private MappedNames(
      String owner, Map<String, String> storedNames, @Nullable Class<?> idType, boolean anyName) {
    this.owner = owner;
    this.storedNames = storedNames;
    this.idType = idType;
    this.anyName = anyName;
  }

  /**
   * What a class maps.
   *
   * @param unmappedToo whether changes may name what it does not map
   */
  static MappedNames of(Class<?> type, Codec<?> codec, boolean unmappedToo) {
    Map<String, String> stored = new TreeMap<>(Reflection.storedNames(type, codec));
    boolean anyName = unmappedToo || stored.isEmpty() || holdsOthers(type);
    return new MappedNames(type.getSimpleName(), stored, Reflection.idType(type, codec), anyName);
  }

  /** Whether documents of the class have fields that it does not name itself. */
  private static boolean holdsOthers(Class<?> type) {
    if (Modifier.isAbstract(type.getModifiers())
        || type.getAnnotation(BsonDiscriminator.class) != null) {
      return true;
    }
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      boolean extra =
          Stream.<AnnotatedElement>concat(
                  Stream.of(c.getDeclaredFields()), Stream.of(c.getDeclaredMethods()))
              .anyMatch(member -> member.getAnnotation(BsonExtraElements.class) != null);
      if (extra) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks a name that a change or a condition gives.
   *
   * @throws IllegalArgumentException if the class does not map it
   */
  void check(Path path) {
    String name = path.segments().get(0);
    if (anyName || storedNames.containsValue(name) || name.equals("_id")) {
      return;
    }
    String stored = storedNames.get(name);
    throw new IllegalArgumentException(
        "attribute '"
            + path
            + "' is not mapped by "
            + owner
            + (stored == null
                ? ", which maps "
                    + storedNames.values().stream().sorted().toList()
                    + "; correct the name, or build the store with unmappedAttributes()"
                : ", whose property '" + name + "' is stored as '" + stored + "'"));
  }

  /**
   * Checks the value of {@code _id}.
   *
   * @throws IllegalArgumentException if the class could not read it
   */
  BsonValue checkId(BsonValue id) {
    Class<?> type = idType;
    if (type == null) {
      return id;
    }
    PropertyType expected = PropertyType.of(type);
    boolean fits =
        type == ObjectId.class
            ? id.isObjectId()
            : expected.isWhole()
                ? id.getBsonType() == BsonType.INT32 || id.getBsonType() == BsonType.INT64
                : expected.takes(id.getBsonType());
    if (!fits) {
      throw new IllegalArgumentException(
          "key '_id' of "
              + owner
              + " is "
              + (type == ObjectId.class ? "an ObjectId" : expected.shown())
              + ", the value is of type "
              + id.getBsonType());
    }
    return id;
  }
}
