package dev.tidemark.mongodb;

import dev.tidemark.Path;
import dev.tidemark.kernel.UnfitChangeException;
import dev.tidemark.marks.Marks;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Collection;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.pojo.ClassModel;
import org.bson.codecs.pojo.PropertyModel;
import org.bson.codecs.pojo.TypeWithTypeParameters;
import org.bson.codecs.pojo.annotations.BsonDiscriminator;
import org.bson.codecs.pojo.annotations.BsonExtraElements;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonProperty;
import org.bson.codecs.pojo.annotations.BsonRepresentation;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What an entity class maps: the stored names and the classes of its properties, and the type of
 * its key. It knows nothing of classes with a codec of the user's own.
 */
final class MappedClass {
  /**
   * A property.
   *
   * @param name in Java
   * @param stored its field
   * @param isConverted whether it is stored as another type than its own
   */
  private record Property(String name, String stored, Class<?> type, boolean isConverted) {
    boolean isId() {
      return stored.equals("_id");
    }
  }

  private final Class<?> type;
  private final List<Property> properties;
  private final boolean anyName;

  /**
   * What a class maps.
   *
   * @param unmappedToo whether changes may name what it does not map
   */
  MappedClass(Class<?> type, Codec<?> codec, boolean unmappedToo) {
    this.type = type;
    this.properties = properties(type, MongoMarksCodec.unwrapped(codec).getClass().getName());
    this.anyName = unmappedToo || properties.isEmpty() || holdsOthers(type);
  }

  private static List<Property> properties(Class<?> type, String mapper) {
    if (type.isRecord() && mapper.contains("Record")) {
      return ofRecord(type);
    }
    return mapper.startsWith("org.bson.codecs.pojo.") ? ofPojo(type) : List.of();
  }

  /** The driver's annotations of a record's components end up on their fields alone. */
  private static List<Property> ofRecord(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .map(MappedClass::property)
        .toList();
  }

  private static Property property(Field field) {
    BsonProperty named = field.getAnnotation(BsonProperty.class);
    String stored = named == null ? field.getName() : named.value();
    return new Property(
        field.getName(),
        field.isAnnotationPresent(BsonId.class) ? "_id" : stored,
        field.getType(),
        field.isAnnotationPresent(BsonRepresentation.class));
  }

  private static List<Property> ofPojo(Class<?> type) {
    return ClassModel.builder(type).build().getPropertyModels().stream()
        .map(MappedClass::property)
        .toList();
  }

  private static Property property(PropertyModel<?> model) {
    TypeWithTypeParameters<?> data = model.getTypeData();
    boolean converted = model.getBsonRepresentation() != null;
    return new Property(model.getName(), model.getReadName(), data.getType(), converted);
  }

  /** The stored name of a class's property of all marks; null if there is none. */
  static @Nullable String marks(Class<?> type) {
    List<Property> properties = List.of();
    if (type.isRecord()) {
      properties = ofRecord(type);
    } else if (!type.getName().startsWith("java.") && !type.isEnum() && !type.isInterface()) {
      try {
        properties = ofPojo(type);
      } catch (RuntimeException e) { // not a POJO: its codec says so itself if it is asked for
        return null;
      }
    }
    return properties.stream()
        .filter(property -> property.type() == Marks.class)
        .map(Property::stored)
        .findFirst()
        .orElse(null);
  }

  /** Whether documents of the class have fields that it does not name itself. */
  private static boolean holdsOthers(Class<?> type) {
    boolean others =
        Modifier.isAbstract(type.getModifiers())
            || type.getAnnotation(BsonDiscriminator.class) != null;
    for (Class<?> c = type; !others && c != null; c = c.getSuperclass()) {
      others =
          Stream.<AnnotatedElement>concat(
                  Stream.of(c.getDeclaredFields()), Stream.of(c.getDeclaredMethods()))
              .anyMatch(member -> member.isAnnotationPresent(BsonExtraElements.class));
    }
    return others;
  }

  /** The class's simple name. */
  String name() {
    return type.getSimpleName();
  }

  /** The classes of the properties, marks left out, by stored name. */
  Map<String, Class<?>> types() {
    Map<String, Class<?>> types = new TreeMap<>();
    properties.stream()
        .filter(property -> property.type() != Marks.class)
        .forEach(property -> types.put(property.stored(), property.type()));
    return types;
  }

  /** The stored names of what the class cannot do without: a record's primitive components. */
  Set<String> required() {
    return properties.stream()
        .filter(property -> type.isRecord() && property.type().isPrimitive() && !property.isId())
        .map(Property::stored)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Checks a name that a change or a condition gives.
   *
   * @throws IllegalArgumentException if the class does not map it
   */
  void check(Path path) {
    String name = path.segments().get(0);
    if (!anyName
        && !name.equals("_id")
        && properties.stream().noneMatch(p -> p.stored().equals(name))) {
      throw new UnfitChangeException(
          "attribute '%s' is not mapped by %s%s".formatted(path, name(), hint(name)));
    }
  }

  private String hint(String name) {
    return properties.stream()
        .filter(property -> property.name().equals(name))
        .findFirst()
        .map(p -> ", whose property '%s' is stored as '%s'".formatted(name, p.stored()))
        .orElseGet(
            () ->
                ", which maps %s; correct the name, or build the store with unmappedAttributes()"
                    .formatted(properties.stream().map(Property::stored).sorted().toList()));
  }

  /** Whether the property of that name in Java is the key, stored under another name. */
  boolean isKey(String name) {
    return properties.stream()
        .anyMatch(p -> p.isId() && p.name().equals(name) && !name.equals("_id"));
  }

  /**
   * Checks the value of {@code _id}.
   *
   * @throws IllegalArgumentException if the class could not read it
   */
  BsonValue checkId(BsonValue id) {
    for (Property property : properties) {
      if (property.isId() && !property.isConverted() && !fits(property.type(), id)) {
        throw new IllegalArgumentException(
            "key '_id' of %s is %s, the value is of type %s"
                .formatted(name(), shown(property.type()), id.getBsonType()));
      }
    }
    return id;
  }

  private static String shown(Class<?> type) {
    return type == ObjectId.class ? "an ObjectId" : Kind.of(type).shown();
  }

  private static boolean fits(Class<?> type, BsonValue id) {
    if (type == ObjectId.class) {
      return id.isObjectId();
    }
    Kind expected = Kind.of(type);
    return expected == Kind.WHOLE
        ? id.getBsonType() == BsonType.INT32 || id.getBsonType() == BsonType.INT64
        : expected.takes(id.getBsonType());
  }

  /** The class itself, or that of the objects in place of a primitive type. */
  static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  /** What may be stored for a property of some Java class. */
  enum Kind {
    WHOLE("a whole number", EnumSet.of(BsonType.INT32, BsonType.INT64, BsonType.DECIMAL128)),
    NUMBER(
        "a number",
        EnumSet.of(BsonType.INT32, BsonType.INT64, BsonType.DOUBLE, BsonType.DECIMAL128)),
    STRING("a string", EnumSet.of(BsonType.STRING)),
    BOOLEAN("a boolean", EnumSet.of(BsonType.BOOLEAN)),
    BINARY("binary", EnumSet.of(BsonType.BINARY)),
    DATE("a date", EnumSet.of(BsonType.DATE_TIME)),
    ARRAY("an array", EnumSet.of(BsonType.ARRAY)),
    MAP("a document", EnumSet.of(BsonType.DOCUMENT)),
    OTHER("of its own type", EnumSet.allOf(BsonType.class));

    private static final Set<Class<?>> DATES =
        Set.of(Date.class, Instant.class, LocalDate.class, LocalDateTime.class, LocalTime.class);

    private final String shown;

    @SuppressWarnings("ImmutableEnumChecker") // never changed, never given away
    private final Set<BsonType> taken;

    Kind(String shown, Set<BsonType> taken) {
      this.shown = shown;
      this.taken = taken;
    }

    private static final Map<Class<?>, Long> HIGHEST =
        Map.of(
            Long.class, Long.MAX_VALUE,
            Integer.class, (long) Integer.MAX_VALUE,
            Short.class, (long) Short.MAX_VALUE,
            Byte.class, (long) Byte.MAX_VALUE);

    /** The highest of the whole numbers that a class holds; null for all other classes. */
    static @Nullable Long highest(Class<?> type) {
      return HIGHEST.get(boxed(type));
    }

    static Kind of(Class<?> type) {
      Class<?> boxed = boxed(type);
      if (Number.class.isAssignableFrom(boxed)) {
        return highest(type) == null ? NUMBER : WHOLE;
      }
      if (boxed == String.class || type.isEnum()) {
        return STRING;
      }
      if (boxed == Boolean.class) {
        return BOOLEAN;
      }
      if (type == byte[].class || type == UUID.class) {
        return BINARY;
      }
      if (DATES.contains(type)) {
        return DATE;
      }
      if (Collection.class.isAssignableFrom(type)) {
        return ARRAY;
      }
      return Map.class.isAssignableFrom(type) ? MAP : OTHER;
    }

    String shown() {
      return shown;
    }

    boolean takes(BsonType type) {
      return taken.contains(type);
    }
  }
}
