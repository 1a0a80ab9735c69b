package dev.tidemark.kernel;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether two values of a mapper have the same in all of their parts. What a class of the user's
 * calls equal need not be: entities are often equal by their key alone.
 */
public final class SameValue {
  private static final Set<Class<?>> PLAIN =
      Set.of(
          String.class,
          Boolean.class,
          Character.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          Date.class,
          URI.class,
          Locale.class,
          Currency.class);

  private SameValue() {}

  /**
   * Compares two values that one codec has read.
   *
   * @param one a value
   * @param other another one
   * @return false where they differ in any part, or where that cannot be told
   */
  public static boolean isSame(@Nullable Object one, @Nullable Object other) {
    if (one == null || other == null) {
      return one == other;
    }
    Class<?> type = one.getClass();
    if (type != other.getClass()) {
      return false;
    }
    if (PLAIN.contains(type) || one instanceof Enum || type.getPackageName().equals("java.time")) {
      return one.equals(other);
    }
    if (one instanceof byte[] bytes) {
      return Arrays.equals(bytes, (byte[]) other);
    }
    if (one instanceof Optional<?> optional) {
      return isSame(optional.orElse(null), ((Optional<?>) other).orElse(null));
    }
    if (one instanceof Map<?, ?> map) {
      return areSame(map.keySet(), ((Map<?, ?>) other).keySet())
          && areSame(map.values(), ((Map<?, ?>) other).values());
    }
    if (one instanceof Collection<?> elements) {
      return areSame(elements, (Collection<?>) other);
    }
    return type.isRecord() && hasSameComponents(type, one, other);
  }

  private static boolean areSame(Collection<?> some, Collection<?> others) {
    Iterator<?> rest = others.iterator();
    return some.size() == others.size()
        && some.stream().allMatch(element -> isSame(element, rest.next()));
  }

  private static boolean hasSameComponents(Class<?> type, Object one, Object other) {
    for (RecordComponent component : type.getRecordComponents()) {
      try {
        var accessor = component.getAccessor();
        if (!accessor.trySetAccessible() || !isSame(accessor.invoke(one), accessor.invoke(other))) {
          return false;
        }
      } catch (ReflectiveOperationException e) {
        return false;
      }
    }
    return true;
  }
}
