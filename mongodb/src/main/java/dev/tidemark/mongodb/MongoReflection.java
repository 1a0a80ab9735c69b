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
import org.jspecify.annotations.Nullable;

/** The stored names and the classes of an entity class's properties. */
final class MongoReflection {
  private MongoReflection() {}

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

  private static Map<String, Class<?>> ofRecord(Class<?> type) {
    Map<String, Class<?>> properties = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      BsonProperty property = onField(component, BsonProperty.class);
      boolean id = onField(component, BsonId.class) != null;
      String name = id ? "_id" : property == null ? component.getName() : property.value();
      properties.put(name, component.getType());
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
