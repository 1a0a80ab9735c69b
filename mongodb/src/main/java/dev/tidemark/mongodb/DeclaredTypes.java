package dev.tidemark.mongodb;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.codecs.pojo.TypeWithTypeParameters;
import org.jspecify.annotations.Nullable;

/** The types of properties, with the arguments of generic classes in place of their names. */
final class DeclaredTypes {
  private DeclaredTypes() {}

  /** A type with arguments, as the driver's registry takes it. */
  private record Parameterized(Class<?> raw, List<Type> arguments) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(Type[]::new);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return null;
    }
  }

  /** A type with a record's own arguments in place of their names, as the driver resolves it. */
  static Type resolved(Type declared, Class<?> owner, List<Type> arguments) {
    if (declared instanceof ParameterizedType some && some.getRawType() instanceof Class<?> raw) {
      return new Parameterized(
          raw,
          Stream.of(some.getActualTypeArguments())
              .map(argument -> resolved(argument, owner, arguments))
              .toList());
    }
    int index = Arrays.asList(owner.getTypeParameters()).indexOf(declared);
    return index >= 0 && index < arguments.size() ? arguments.get(index) : declared;
  }

  /**
   * The type of a generic class's property by the arguments of the class, where its field tells.
   */
  static @Nullable Type resolved(String name, Class<?> owner, List<Type> arguments) {
    return Stream.of(owner.getDeclaredFields())
        .filter(field -> field.getName().equals(name))
        .map(field -> resolved(field.getGenericType(), owner, arguments))
        .filter(DeclaredTypes::isKnown)
        .findFirst()
        .orElse(null);
  }

  private static boolean isKnown(Type type) {
    return type instanceof Parameterized some
        ? some.arguments().stream().allMatch(DeclaredTypes::isKnown)
        : type instanceof Class<?>;
  }

  /**
   * A property's type. Inside collections and maps only the driver knows what it makes of the
   * arguments of other classes.
   */
  static @Nullable Type of(TypeWithTypeParameters<?> data) {
    if (data.getTypeParameters().isEmpty()) {
      return data.getType();
    }
    List<Type> arguments = new ArrayList<>();
    for (TypeWithTypeParameters<?> argument : data.getTypeParameters()) {
      Type type = of(argument);
      if (type != null && !(type instanceof Parameterized some && !isContainer(some.raw()))) {
        arguments.add(type);
      }
    }
    return arguments.size() == data.getTypeParameters().size()
        ? new Parameterized(data.getType(), List.copyOf(arguments))
        : null;
  }

  /** Whether a class is a collection or map, whose elements or members its arguments tell. */
  static boolean isContainer(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }
}
