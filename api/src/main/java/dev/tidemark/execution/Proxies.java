package dev.tidemark.execution;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeBindings;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.kernel.Text;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Interfaces whose idempotent methods run under their keys. */
final class Proxies {
  private Proxies() {}

  static <T> T of(Executions executions, Class<T> type, T target) {
    if (!type.isInterface()) {
      throw new Misuse.Argument(type.getName() + " is not an interface");
    }
    Map<Signature, Once<?>> declared = new HashMap<>();
    Map<String, Method> scopes = new LinkedHashMap<>();
    for (Method method : type.getMethods()) {
      if (!isIdempotent(method)) {
        continue;
      }
      Idempotent idempotent = method.getAnnotation(Idempotent.class);
      String scope = idempotent.scope().isEmpty() ? method.getName() : idempotent.scope();
      if (scopes.put(scope, method) != null) {
        throw refused(method, "has the scope of another method; give it one of its own");
      }
      List<JavaType> parameters = parametersOf(executions, type, method);
      declared.put(
          Signature.of(method, parameters),
          new Once<>(scope, keyOf(method), parameters, typeOf(executions, method)));
    }
    Map<Signature, Once<?>> methods = new HashMap<>(); // by what a caller's class file names
    for (Method method : type.getMethods()) {
      Method meant = method.isBridge() ? bridged(executions, type, method) : method;
      Once<?> once = declared.get(Signature.of(meant, parametersOf(executions, type, meant)));
      if (once != null) {
        methods.put(Signature.of(method), once);
      }
    }
    inherited(type)
        .filter(method -> isIdempotent(method) && !methods.containsKey(Signature.of(method)))
        .forEach(
            method -> {
              throw refused(
                  method, "is @Idempotent and overridden without that; repeat the annotations");
            });
    if (methods.isEmpty()) {
      throw new Misuse.Argument(type.getName() + " has no method that is @Idempotent");
    }
    Map<String, Class<?>> owners = new LinkedHashMap<>();
    scopes.forEach((scope, method) -> owners.put(scope, owner(type, method)));
    executions
        .reserve(owners)
        .ifPresent(
            taken -> {
              throw refused(
                  Objects.requireNonNull(scopes.get(taken.getKey())),
                  "has the scope of a method of %s, so their keys would be the same; give one of"
                          .formatted(taken.getValue().getName())
                      + " them a scope of its own, or other Executions");
            });
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Once<?> once = methods.get(Signature.of(method));
              if (method.getName().equals("equals") && arguments != null && arguments[0] == proxy) {
                return true;
              }
              if (once != null) {
                return once.run(executions, target, method, arguments);
              }
              return isDefaultOf(target, method)
                  ? callDefault(proxy, method, arguments)
                  : call(target, method, arguments);
            }));
  }

  /** Whether the interface's own code runs, as where the target does not override it. */
  private static boolean isDefaultOf(Object target, Method method) {
    try {
      return method.isDefault()
          && method.equals(
              target.getClass().getMethod(method.getName(), method.getParameterTypes()));
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** On the proxy, so that the idempotent methods which it calls run under their keys. */
  private static @Nullable Object callDefault(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    Class<?> type = method.getDeclaringClass();
    MethodHandle handle;
    try {
      handle =
          MethodHandles.privateLookupIn(type, MethodHandles.lookup())
              .unreflectSpecial(method, type);
    } catch (IllegalAccessException e) { // of a module that is not open to this one
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    }
    return handle
        .bindTo(proxy)
        .invokeWithArguments(arguments == null ? List.of() : Arrays.asList(arguments));
  }

  /** The interface whose effect a method is: who declares it, unless that is a generic one. */
  private static Class<?> owner(Class<?> type, Method method) {
    Class<?> declaring = method.getDeclaringClass();
    return declaring.getTypeParameters().length == 0 ? declaring : type;
  }

  private static boolean isIdempotent(Method method) {
    return method.isAnnotationPresent(Idempotent.class) && !method.isBridge();
  }

  /** The methods of the interfaces that one extends, those too that are overridden. */
  private static Stream<Method> inherited(Class<?> type) {
    return Arrays.stream(type.getInterfaces())
        .flatMap(parent -> Stream.concat(Arrays.stream(parent.getMethods()), inherited(parent)));
  }

  /**
   * The method of the source that a compiler's bridge calls, which has the parameters of what it
   * overrides in terms of the interface; the bridge itself if there is none.
   */
  private static Method bridged(Executions executions, Class<?> type, Method bridge) {
    List<Signature> meant =
        inherited(type)
            .filter(method -> Signature.of(method).equals(Signature.of(bridge)))
            .map(method -> Signature.of(method, parametersOf(executions, type, method)))
            .toList();
    return Arrays.stream(type.getMethods())
        .filter(method -> !method.isBridge() && meant.contains(Signature.of(method)))
        .findFirst()
        .orElse(bridge);
  }

  private static int keyOf(Method method) {
    int key = -1;
    for (int i = 0; i < method.getParameterCount(); i++) {
      if (method.getParameters()[i].isAnnotationPresent(Idempotent.Key.class)) {
        if (key >= 0) {
          throw refused(method, "has more than one parameter that is @Idempotent.Key");
        }
        key = i;
      }
    }
    if (key < 0 || method.getParameterTypes()[key] != String.class) {
      throw refused(method, "needs a parameter of type String that is @Idempotent.Key");
    }
    return key;
  }

  /** As what the arguments are declared, in terms of the interface. */
  private static List<JavaType> parametersOf(Executions executions, Class<?> type, Method method) {
    TypeFactory types = executions.json().fingerprints().types();
    TypeBindings known =
        types.constructType(type).findSuperType(method.getDeclaringClass()).getBindings();
    return Arrays.stream(method.getGenericParameterTypes())
        .map(parameter -> types.resolveMemberType(parameter, known))
        .toList();
  }

  /** As what the result is stored; a method without one stores that it is done. */
  private static Class<?> typeOf(Executions executions, Method method) {
    if (!(method.getGenericReturnType() instanceof Class<?> type)) {
      throw refused(method, "returns a generic type; it needs a class by which it is read back");
    }
    Class<?> stored =
        type == void.class ? Boolean.class : MethodType.methodType(type).wrap().returnType();
    executions.json().requireReadable(stored);
    return stored;
  }

  private static IllegalArgumentException refused(Method method, String why) {
    return new Misuse.Argument(named(method, why));
  }

  private static String named(Method method, String what) {
    return method.getDeclaringClass().getName() + "." + method.getName() + " " + what;
  }

  private static @Nullable Object call(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Exception {
    try {
      boolean unused = method.trySetAccessible(); // an interface need not be public
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof Exception thrown ? thrown : e;
    }
  }

  /** What methods have in common that are one method of the target, whichever interface has it. */
  private record Signature(String name, List<Class<?>> parameters) {
    static Signature of(Method method) {
      return new Signature(method.getName(), List.of(method.getParameterTypes()));
    }

    static Signature of(Method method, List<JavaType> parameters) {
      return new Signature(
          method.getName(), parameters.stream().<Class<?>>map(JavaType::getRawClass).toList());
    }
  }

  /**
   * One method.
   *
   * @param scope of its keys
   * @param key the place of the key among its parameters
   * @param parameters as what these are declared
   * @param type as what its result is stored
   */
  private record Once<R>(String scope, int key, List<JavaType> parameters, Class<R> type) {
    @Nullable Object run(
        Executions executions, Object target, Method method, @Nullable Object[] arguments)
        throws Exception {
      if (!(arguments[key] instanceof String text) || text.isEmpty()) {
        throw new Misuse.Argument("an idempotency key must not be null or empty");
      }
      Fingerprint request =
          executions
              .json()
              .fingerprints()
              .ofAll(others(parameters), others(Arrays.asList(arguments)));
      String at = Text.join(List.of(scope, text));
      Ending<R, R> ending = new Ending.ByRecord<>(type, named(method, "").trim());
      Execution<R> execution =
          executions.run(
              executions.call(at, request, "", null),
              ending,
              steps -> result(target, method, arguments));
      R result = execution.result().orElseThrow(() -> new NotExecutedException(execution));
      return method.getReturnType() == void.class ? null : result;
    }

    /** All but the key. */
    private <V extends @Nullable Object> List<V> others(List<V> all) {
      List<V> others = new ArrayList<V>(all);
      others.remove(key);
      return others;
    }

    /** What the method returned; it must not be null, which the ending says. */
    @SuppressWarnings("NullAway")
    private R result(Object target, Method method, @Nullable Object[] arguments) throws Exception {
      Object result = call(target, method, arguments);
      if (method.getReturnType() == void.class) {
        result = true;
      }
      return type.cast(result);
    }
  }
}
