package dev.tidemark.kernel;

import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Tells values that say that work has begun, and not that it is done: futures and publishers. */
public final class Unfinished {
  private Unfinished() {}

  /**
   * Whether a class is one of such values. Publishers of Reactive Streams are told by their name.
   *
   * @param type any class
   * @return whether a value of it may be there before the work is done
   */
  public static boolean is(Class<?> type) {
    return CompletionStage.class.isAssignableFrom(type)
        || Future.class.isAssignableFrom(type)
        || Flow.Publisher.class.isAssignableFrom(type)
        || type.getName().equals("org.reactivestreams.Publisher")
        || Stream.concat(
                Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
            .anyMatch(Unfinished::is);
  }

  /**
   * Requires that work is done behind which something is stored.
   *
   * @param what gave the value, such as "the handler"
   * @param value what it gave
   * @throws IllegalStateException if the value is a future or a publisher
   */
  public static void requireNone(String what, Object value) {
    if (is(value.getClass())) {
      throw new Misuse.State(
          what
              + " returned a "
              + value.getClass().getName()
              + ", which says that work has begun, and not that it is done: let it wait, and return"
              + " what came of it");
    }
  }
}
