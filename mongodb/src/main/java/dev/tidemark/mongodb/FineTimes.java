package dev.tidemark.mongodb;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.ClassModel;
import org.bson.codecs.pojo.PropertyModel;
import org.jspecify.annotations.Nullable;

/**
 * Finds times that the driver's codecs cut, since MongoDB keeps milliseconds: a value itself, and
 * what is in its elements, members, components and properties. What codecs of the user's own store
 * is not looked into, nor are classes that the driver maps by neither records nor models.
 */
final class FineTimes {
  private static final int MILLISECOND = 1_000_000;

  private FineTimes() {}

  /** Whether a value is such a time, or has one in it. */
  static boolean in(@Nullable Object value, CodecRegistry registry) {
    if (value instanceof Collection<?> elements) {
      return elements.stream().anyMatch(element -> in(element, registry));
    }
    if (value instanceof Map<?, ?> members) {
      return in(members.values(), registry);
    }
    if (value == null || value.getClass().getName().startsWith("java.lang.")) {
      return false;
    }
    try {
      Codec<?> codec = registry.get(value.getClass());
      return Values.isDrivers(codec)
          && (value instanceof TemporalAccessor time
              ? isFine(time)
              : parts(value, codec).anyMatch(part -> in(part, registry)));
    } catch (RuntimeException e) { // which is another's to tell
      return false;
    }
  }

  private static boolean isFine(TemporalAccessor time) {
    return time.isSupported(ChronoField.NANO_OF_SECOND)
        && time.get(ChronoField.NANO_OF_SECOND) % MILLISECOND != 0;
  }

  private static Stream<@Nullable Object> parts(Object value, Codec<?> codec) {
    if (DriverModel.has(codec)) {
      ClassModel<?> model = DriverModel.of(codec);
      return model.getPropertyModels().stream()
          .filter(property -> property.isReadable() && property.getCodec() == null)
          .map(property -> get(property, value));
    }
    return value instanceof Record
        ? Stream.of(value.getClass().getRecordComponents()).map(part -> get(part, value))
        : Stream.empty();
  }

  private static @Nullable Object get(PropertyModel<?> property, Object value) {
    return property.getPropertyAccessor().get(value);
  }

  private static @Nullable Object get(RecordComponent part, Object value) {
    try {
      Method accessor = part.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
