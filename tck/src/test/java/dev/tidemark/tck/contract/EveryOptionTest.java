package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.tidemark.Attribute;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Decision;
import dev.tidemark.EventPolicy;
import dev.tidemark.Events;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An option that no random life draws is one that no random life tests. */
@DisplayName("The random lives draw")
final class EveryOptionTest {
  /** What a caller makes these with, and adds to them. */
  private static final List<Class<?>> OPTIONS =
      List.of(
          Change.class,
          Attribute.class,
          Condition.class,
          Write.class,
          Decision.class,
          Tracking.class,
          EventPolicy.class,
          IdPolicy.class);

  private static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(Tracked.class, Events.class, MessageIds.class);

  private static final JavaClasses KIT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.tck.contract");

  private static boolean draws(JavaClass type) {
    String name = type.getName().substring("dev.tidemark.tck.contract.".length());
    return name.startsWith("Random") || name.split("\\$", 2)[0].endsWith("Life");
  }

  /** Methods that give what a caller goes on with. */
  private static Stream<String> options(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> isOption(type, method.getReturnType()))
        .map(EveryOptionTest::name);
  }

  private static boolean isOption(Class<?> type, Class<?> given) {
    return given == type || (type == Attribute.class && given == Condition.class);
  }

  /** As the class files name it. */
  private static String name(Method method) {
    return "%s.%s(%s)"
        .formatted(
            method.getDeclaringClass().getName(),
            method.getName(),
            Arrays.stream(method.getParameterTypes())
                .map(Class::getName)
                .collect(Collectors.joining(", ")));
  }

  @Test
  @DisplayName("every method of changes, conditions, writes, decisions, trackings and policies")
  void methods() {
    Set<String> unused = new TreeSet<>(OPTIONS.stream().flatMap(EveryOptionTest::options).toList());
    int all = unused.size();
    for (JavaClass type : KIT) {
      if (draws(type)) {
        type.getAccessesFromSelf()
            .forEach(access -> unused.remove(access.getTarget().getFullName()));
      }
    }
    assertEquals(Set.of(), unused, () -> unused.size() + " of " + all + " options are never drawn");
  }

  @Test
  @DisplayName("every member of the annotations, with a value that is not its default")
  void annotations() {
    Set<String> unused =
        new TreeSet<>(
            ANNOTATIONS.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .map(EveryOptionTest::name)
                .toList());
    int all = unused.size();
    for (JavaClass type : KIT) {
      if (draws(type) && type.isAnnotatedWith(Tracked.class)) {
        Tracked tracked = Objects.requireNonNull(type.reflect().getAnnotation(Tracked.class));
        given(tracked, unused);
        given(tracked.messageIds(), unused);
        Arrays.stream(tracked.events()).forEach(events -> given(events, unused));
      }
    }
    assertEquals(Set.of(), unused, () -> unused.size() + " of " + all + " members are never drawn");
  }

  private static void given(Annotation annotation, Set<String> unused) {
    for (Method member : annotation.annotationType().getDeclaredMethods()) {
      try {
        Object value = Objects.requireNonNull(member.invoke(annotation));
        boolean same =
            value instanceof Object[] all
                ? all.length == 0
                : value.equals(member.getDefaultValue());
        if (!same) {
          unused.remove(name(member));
        }
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(member.toString(), e);
      }
    }
  }
}
