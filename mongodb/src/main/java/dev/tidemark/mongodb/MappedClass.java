package dev.tidemark.mongodb;

import dev.tidemark.Path;
import dev.tidemark.kernel.UnfitChangeException;
import dev.tidemark.marks.Marks;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonType;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.ClassModel;
import org.bson.codecs.pojo.PropertyAccessor;
import org.bson.codecs.pojo.PropertyModel;
import org.bson.codecs.pojo.TypeWithTypeParameters;
import org.bson.codecs.pojo.annotations.BsonCreator;
import org.bson.codecs.pojo.annotations.BsonDiscriminator;
import org.bson.codecs.pojo.annotations.BsonExtraElements;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonProperty;
import org.bson.codecs.pojo.annotations.BsonRepresentation;
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
   * @param declared its type, with arguments; null where only the driver knows them
   * @param representation in which it is stored instead of its own; null if in that
   * @param own the codec that it has instead of its type's; null if it has none
   * @param accessor gets it; null of records
   */
  private record Property(
      String name,
      String stored,
      Class<?> type,
      @Nullable Type declared,
      @Nullable BsonType representation,
      @Nullable Codec<?> own,
      @Nullable PropertyAccessor<?> accessor) {
    boolean isId() {
      return stored.equals("_id");
    }
  }

  private final Class<?> type;
  private final CodecRegistry registry;
  private final List<Property> properties;
  private final Map<String, Optional<PropertyType>> members = new ConcurrentHashMap<>();
  private final boolean unmappedToo;
  private final boolean anyName;

  private final @Nullable String discriminator;

  /** The field in which the codec names this class, and that name; null where it does not. */
  private final Map.@Nullable Entry<String, String> ownName;

  /**
   * What a class maps.
   *
   * @param unmappedToo whether changes may name what it does not map
   */
  MappedClass(Class<?> type, Codec<?> codec, CodecRegistry registry, boolean unmappedToo) {
    this(type, List.of(), codec, registry, unmappedToo);
  }

  private MappedClass(
      Class<?> type,
      List<Type> arguments,
      Codec<?> codec,
      CodecRegistry registry,
      boolean unmappedToo) {
    this.type = type;
    this.registry = registry;
    this.properties = properties(type, arguments, codec);
    this.discriminator = discriminator(type, codec);
    this.ownName = discriminator == null ? ownName(codec) : null;
    this.unmappedToo = unmappedToo;
    this.anyName = properties.isEmpty() || holdsOthers(type);
  }

  /** What a class maps that is the type of a property. */
  static MappedClass nested(
      Class<?> type, List<Type> arguments, Codec<?> codec, CodecRegistry registry) {
    return new MappedClass(type, arguments, codec, registry, false);
  }

  /** No abstract class is read but by the name of another one, unless it has a creator. */
  private static @Nullable String discriminator(Class<?> type, Codec<?> codec) {
    if (!Modifier.isAbstract(type.getModifiers()) || !DriverModel.has(codec)) {
      return null;
    }
    try {
      Object unused = Values.read(new BsonDocument(), codec);
      return null;
    } catch (RuntimeException e) {
      return DriverModel.of(codec).getDiscriminatorKey();
    }
  }

  /** A concrete class is read without it, but not by those who have a store of its base class. */
  private static Map.@Nullable Entry<String, String> ownName(Codec<?> codec) {
    ClassModel<?> model = DriverModel.has(codec) ? DriverModel.of(codec) : null;
    return model == null || !model.useDiscriminator()
        ? null
        : Map.entry(model.getDiscriminatorKey(), model.getDiscriminator());
  }

  /** Whether a codec is one by which the driver maps properties. */
  static boolean isMapped(Codec<?> codec) {
    return DriverModel.has(codec)
        || codec.getClass().getName().startsWith("org.bson.codecs.record.");
  }

  private static List<Property> properties(Class<?> type, List<Type> arguments, Codec<?> codec) {
    if (!isMapped(codec)) {
      return List.of();
    }
    return DriverModel.has(codec)
        ? ofPojo(DriverModel.of(codec), arguments)
        : ofRecord(type, arguments);
  }

  /** The driver's annotations of a record's components end up on their fields alone. */
  private static List<Property> ofRecord(Class<?> type, List<Type> arguments) {
    return Stream.of(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .map(field -> property(field, arguments))
        .toList();
  }

  private static Property property(Field field, List<Type> arguments) {
    BsonProperty named = field.getAnnotation(BsonProperty.class);
    String stored = named == null ? field.getName() : named.value();
    BsonRepresentation other = field.getAnnotation(BsonRepresentation.class);
    return new Property(
        field.getName(),
        field.isAnnotationPresent(BsonId.class) ? "_id" : stored,
        field.getType(),
        DeclaredTypes.resolved(field.getGenericType(), field.getDeclaringClass(), arguments),
        other == null ? null : other.value(),
        null,
        null);
  }

  private static List<Property> ofPojo(ClassModel<?> model, List<Type> arguments) {
    return model.getPropertyModels().stream()
        .map(property -> property(property, model.getType(), arguments))
        .toList();
  }

  private static Property property(PropertyModel<?> model, Class<?> owner, List<Type> arguments) {
    TypeWithTypeParameters<?> data = model.getTypeData();
    boolean both = model.isReadable() && model.isWritable();
    if (both && !model.getReadName().equals(model.getWriteName())) {
      throw new IllegalArgumentException(
          "property '%s' is stored as '%s' and read from '%s'; give it one name"
              .formatted(model.getName(), model.getReadName(), model.getWriteName()));
    }
    return new Property(
        model.getName(),
        model.getReadName(),
        data.getType(),
        model.getCodec() != null
            ? data.getType()
            : arguments.isEmpty()
                ? DeclaredTypes.of(data)
                : DeclaredTypes.resolved(model.getName(), owner, arguments),
        model.getBsonRepresentation(),
        model.getCodec(),
        model.isReadable() ? model.getPropertyAccessor() : null);
  }

  /** Whether a class has a property of all marks. */
  static boolean carriesMarks(Class<?> type) {
    if (type.isRecord()) {
      return marks(ofRecord(type, List.of())) != null;
    }
    try {
      boolean bean = !type.getName().startsWith("java.") && !type.isEnum() && !type.isInterface();
      return bean && marks(ofPojo(ClassModel.builder(type).build(), List.of())) != null;
    } catch (RuntimeException e) { // not a POJO: its codec says so itself if it is asked for
      return false;
    }
  }

  /** The name under which a class's codec stores its property of all marks; null if under none. */
  static @Nullable String marks(Class<?> type, Codec<?> codec) {
    return marks(properties(type, List.of(), codec));
  }

  private static @Nullable String marks(List<Property> properties) {
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

  /** Whether changes may name what the class does not map. */
  boolean hasUnmapped() {
    return unmappedToo;
  }

  /** The class's simple name. */
  String name() {
    return type.getSimpleName();
  }

  /** The stored names of the properties, marks left out. */
  List<String> stored() {
    return properties.stream()
        .filter(property -> property.type() != Marks.class)
        .map(Property::stored)
        .sorted()
        .toList();
  }

  /**
   * The stored names of what the class cannot do without: a record's primitive components, and what
   * names the class of a value.
   */
  Set<String> required() {
    return Stream.concat(
            Stream.ofNullable(discriminator),
            properties.stream()
                .filter(p -> type.isRecord() && p.type().isPrimitive() && !p.isId())
                .map(Property::stored))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether instances are made by a creator, which may check its properties together. */
  boolean hasCreator() {
    return Stream.concat(
            Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
        .anyMatch(creator -> creator.isAnnotationPresent(BsonCreator.class));
  }

  /** The least that a record can be made of, if its constructor asks for nothing else. */
  BsonDocument least() {
    BsonDocument least = new BsonDocument();
    properties.stream()
        .filter(property -> property.type().isPrimitive())
        .forEach(
            property ->
                least.append(
                    property.stored(),
                    property.type() == boolean.class ? BsonBoolean.FALSE : new BsonInt32(0)));
    return least;
  }

  /** The field that names the class of a value; empty where the class can do without. */
  Optional<String> discriminator() {
    return Optional.ofNullable(discriminator);
  }

  /** The field in which a new entity names its class, and that name, as the codec writes it. */
  Optional<Map.Entry<String, String>> ownName() {
    return Optional.ofNullable(ownName);
  }

  /** Why the class cannot do without a field that is required. */
  String whyRequired(String stored) {
    return stored.equals(discriminator) ? "names its class" : "is of a primitive type";
  }

  /** How a change gives it. */
  String hintRequired(String stored) {
    return stored.equals(discriminator)
        ? "; set the value as a whole, or give that field by setIfAbsent(), which overwrites nothing"
        : ". To add 0 sets it, and overwrites nothing; or give the component a type that can be null";
  }

  /** What stands under a stored name; null where the class does not tell. */
  @Nullable PropertyType member(String stored) {
    return members
        .computeIfAbsent(
            properties.stream().anyMatch(p -> p.stored().equals(stored)) ? stored : "", this::find)
        .orElse(null);
  }

  /** What an entity has at a path; null if nothing, or if the classes do not tell. */
  @Nullable Object find(Object entity, Path path) {
    Object found = entity;
    MappedClass mapped = this;
    for (String segment : path.segments()) {
      found = found == null || mapped == null ? null : mapped.get(found, segment);
      PropertyType type = mapped == null ? null : mapped.member(segment);
      mapped = type == null ? null : type.members();
    }
    return found;
  }

  private @Nullable Object get(Object entity, String stored) {
    for (Property property : properties) {
      if (property.stored().equals(stored) && property.accessor() != null) {
        return property.accessor().get(entity);
      }
    }
    return null;
  }

  private Optional<PropertyType> find(String stored) {
    return properties.stream()
        .filter(property -> property.stored().equals(stored))
        .findFirst()
        .filter(property -> property.declared() != null)
        .map(
            p ->
                PropertyType.of(
                    Objects.requireNonNull(p.declared()), p.representation(), p.own(), registry))
        .filter(found -> type.isRecord() || found.isTold());
  }

  /**
   * Checks the names that a change or a condition gives.
   *
   * @throws IllegalArgumentException if the class, or one inside it, does not map one
   */
  void check(Path path) {
    MappedClass mapped = this;
    PropertyType type = null;
    for (int i = 0; i < path.segments().size(); i++) {
      String segment = path.segments().get(i);
      if (i > 0) {
        if (type == null) {
          return; // beyond what the class tells
        }
        requireMembers(type, path, i == 1);
        mapped = type.members();
      }
      if (mapped != null) {
        mapped.requireName(segment, path, unmappedToo);
      }
      type = mapped != null ? mapped.member(segment) : type == null ? null : type.member(segment);
    }
  }

  private void requireMembers(PropertyType type, Path path, boolean isProperty) {
    try {
      type.requireMembers(isProperty, unmappedToo);
    } catch (UnfitChangeException e) {
      throw new UnfitChangeException(
          "attribute '%s' of %s leads into what %s".formatted(path, name(), e.getMessage()), e);
    }
  }

  private void requireName(String name, Path path, boolean unmappedToo) {
    if (!unmappedToo
        && !anyName
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

  /** Whether a field is the property of all marks. */
  boolean isMarks(String stored) {
    return stored.equals(marks(properties));
  }

  /** The class itself, or that of the objects in place of a primitive type. */
  static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }
}
