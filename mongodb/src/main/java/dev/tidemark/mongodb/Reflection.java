package dev.tidemark.mongodb;

import dev.tidemark.Marks;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.codecs.Codec;
import org.bson.codecs.pojo.ClassModel;
import org.bson.codecs.pojo.PropertyModel;
import org.bson.codecs.pojo.TypeWithTypeParameters;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonProperty;
import org.bson.codecs.pojo.annotations.BsonRepresentation;
import org.jspecify.annotations.Nullable;

/** The stored names and the classes of an entity class's properties. */
final class Reflection {
  private Reflection() {}

  /** Empty where the class is not mapped property by property, or by a codec of the user's own. */
  static Map<String, Class<?>> properties(Class<?> type, Codec<?> codec) {
    Map<String, Class<?>> properties = all(type, MongoMarksCodec.unwrapped(codec));
    properties.values().removeIf(Marks.class::equals);
    return properties;
  }

  private static Map<String, Class<?>> all(Class<?> type, Codec<?> codec) {
    String mapper = codec.getClass().getName();
    if (type.isRecord() && mapper.contains("Record")) {
      return ofRecord(type);
    }
    return mapper.startsWith("org.bson.codecs.pojo.") ? ofPojo(type) : new LinkedHashMap<>();
  }

  /** The Java name of the property that is stored as {@code _id}, where that is another one. */
  static @Nullable String idProperty(Class<?> type, Codec<?> codec) {
    Codec<?> mapper = MongoMarksCodec.unwrapped(codec);
    if (type.isRecord() && mapper.getClass().getName().contains("Record")) {
      return Stream.of(type.getRecordComponents())
          .filter(component -> onField(component, BsonId.class) != null)
          .map(RecordComponent::getName)
          .findFirst()
          .orElse(null);
    }
    if (!mapper.getClass().getName().startsWith("org.bson.codecs.pojo.")) {
      return null;
    }
    PropertyModel<?> id = ClassModel.builder(type).build().getIdPropertyModel();
    return id == null ? null : id.getName();
  }

  /** The stored names of what the class cannot do without: a record's primitive components. */
  static Set<String> required(Class<?> type, Codec<?> codec) {
    String mapper = MongoMarksCodec.unwrapped(codec).getClass().getName();
    if (!type.isRecord() || !mapper.contains("Record")) {
      return Set.of();
    }
    Set<String> required = new LinkedHashSet<>();
    ofRecord(type).forEach((name, of) -> addPrimitive(required, name, of));
    required.remove("_id");
    return required;
  }

  private static void addPrimitive(Set<String> required, String name, Class<?> type) {
    if (type.isPrimitive()) {
      required.add(name);
    }
  }

  /** The stored names by those of Java; empty where the class is not mapped by property. */
  static Map<String, String> storedNames(Class<?> type, Codec<?> codec) {
    Codec<?> mapper = MongoMarksCodec.unwrapped(codec);
    Map<String, String> names = new LinkedHashMap<>();
    if (isRecord(type, mapper)) {
      for (RecordComponent component : type.getRecordComponents()) {
        names.put(component.getName(), storedName(component));
      }
    } else if (isPojo(mapper)) {
      for (PropertyModel<?> property : ClassModel.builder(type).build().getPropertyModels()) {
        names.put(property.getName(), property.getReadName());
      }
    }
    return names;
  }

  /** The class of the property that is stored as {@code _id}; null where that is not known. */
  static @Nullable Class<?> idType(Class<?> type, Codec<?> codec) {
    Codec<?> mapper = MongoMarksCodec.unwrapped(codec);
    if (isRecord(type, mapper)) {
      return Stream.of(type.getRecordComponents())
          .filter(component -> storedName(component).equals("_id"))
          .filter(component -> onField(component, BsonRepresentation.class) == null)
          .<Class<?>>map(RecordComponent::getType)
          .findFirst()
          .orElse(null);
    }
    PropertyModel<?> id =
        isPojo(mapper) ? ClassModel.builder(type).build().getIdPropertyModel() : null;
    if (id == null || id.getBsonRepresentation() != null) {
      return null;
    }
    TypeWithTypeParameters<?> data = id.getTypeData();
    return data.getType();
  }

  private static boolean isRecord(Class<?> type, Codec<?> mapper) {
    return type.isRecord() && mapper.getClass().getName().contains("Record");
  }

  private static boolean isPojo(Codec<?> mapper) {
    return mapper.getClass().getName().startsWith("org.bson.codecs.pojo.");
  }

  private static String storedName(RecordComponent component) {
    BsonProperty property = onField(component, BsonProperty.class);
    return onField(component, BsonId.class) != null
        ? "_id"
        : property == null ? component.getName() : property.value();
  }

  private static Map<String, Class<?>> ofRecord(Class<?> type) {
    Map<String, Class<?>> properties = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      properties.put(storedName(component), component.getType());
    }
    return properties;
  }

  /** The driver's annotations of a record component end up on its field alone. */
  private static <A extends Annotation> @Nullable A onField(
      RecordComponent component, Class<A> annotation) {
    try {
      return component
          .getDeclaringRecord()
          .getDeclaredField(component.getName())
          .getAnnotation(annotation);
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e); // every component has a field
    }
  }

  private static Map<String, Class<?>> ofPojo(Class<?> type) {
    Map<String, Class<?>> properties = new LinkedHashMap<>();
    for (PropertyModel<?> property : ClassModel.builder(type).build().getPropertyModels()) {
      String name = property.getReadName();
      TypeWithTypeParameters<?> data = property.getTypeData();
      properties.put(name, data.getType());
    }
    return properties;
  }

  /** The stored name of the property of all marks; null if there is none. */
  static @Nullable String marks(Class<?> type) {
    Map<String, Class<?>> properties = new LinkedHashMap<>();
    if (type.isRecord()) {
      properties.putAll(ofRecord(type));
    } else if (!type.getName().startsWith("java.") && !type.isEnum() && !type.isInterface()) {
      properties.putAll(ofPojoOrNothing(type));
    }
    return properties.entrySet().stream()
        .filter(property -> property.getValue() == Marks.class)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  private static Map<String, Class<?>> ofPojoOrNothing(Class<?> type) {
    try {
      return ofPojo(type);
    } catch (RuntimeException e) { // not a POJO: its codec says so itself if it is asked for
      return Map.of();
    }
  }
}
