package dev.tidemark.dynamodb;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The names under which the Enhanced Client stores the members of maps, whose keys may be numbers,
 * dates or whatever else it has a text for. It converts them in maps alone.
 */
final class MapKeys {
  private static final AttributeConverterProvider CONVERTERS =
      AttributeConverterProvider.defaultProvider();
  private static final EnhancedType<String> TEXT = EnhancedType.of(String.class);

  private MapKeys() {}

  /** The key that is stored under a name; null if the name is none of the type's. */
  static @Nullable Object read(EnhancedType<?> type, String name) {
    if (type.rawClass() == String.class) {
      return name;
    }
    AttributeValue map = AttributeValue.fromM(Map.of(name, AttributeValue.fromS("")));
    try {
      return converter(type).transformTo(map).keySet().iterator().next();
    } catch (RuntimeException e) { // no text of the type, or a type without texts
      return null;
    }
  }

  /** Whether a key of the type is stored under just that name. */
  static boolean are(EnhancedType<?> type, String name) {
    Object key = read(type, name);
    return key != null && (key instanceof String || name.equals(written(type, key)));
  }

  private static String written(EnhancedType<?> type, Object key) {
    return converter(type).transformFrom(Map.of(key, "")).m().keySet().iterator().next();
  }

  @SuppressWarnings("unchecked") // any class of keys
  private static AttributeConverter<Map<Object, String>> converter(EnhancedType<?> type) {
    return CONVERTERS.converterFor(EnhancedType.mapOf((EnhancedType<Object>) type, TEXT));
  }
}
