package dev.tidemark;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.Set;

/** Reads {@link Tracked}. */
final class Annotations {
  private Annotations() {}

  static Tracking read(Class<?> entityClass, Tracked tracked) {
    Tracking tracking = Tracking.defaults();
    try {
      tracking = tracking.messageIds(ids(tracked.messageIds()));
      Set<String> types = new HashSet<>();
      for (Events events : tracked.events()) {
        if (!types.add(events.type())) {
          throw new IllegalArgumentException(
              "events has two policies for "
                  + (events.type().isEmpty()
                      ? "all types; give one of them a type"
                      : "type '" + Text.shown(events.type()) + "'"));
        }
        EventPolicy policy = policy(events);
        tracking =
            events.type().isEmpty()
                ? tracking.events(policy)
                : tracking.events(events.type(), policy);
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new IllegalArgumentException(
          "@Tracked of " + entityClass.getName() + ": " + e.getMessage(), e);
    }
    return tracking;
  }

  private static IdPolicy ids(MessageIds ids) {
    int ways = (ids.keptFor().isEmpty() ? 0 : 1) + (ids.last() == 0 ? 0 : 1);
    if (ways + (ids.forEver() ? 1 : 0) > 1) {
      throw new IllegalArgumentException("messageIds takes one of keptFor, last, forEver");
    }
    IdPolicy policy =
        ids.forEver()
            ? IdPolicy.forEver()
            : ids.last() != 0
                ? IdPolicy.last(ids.last())
                : ids.keptFor().isEmpty()
                    ? Tracking.defaults().messageIds()
                    : IdPolicy.keptFor(duration(ids.keptFor()));
    return ids.compact() ? policy.compact() : policy;
  }

  private static Duration duration(String keptFor) {
    try {
      return Duration.parse(keptFor);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "keptFor of messageIds must be a duration such as \"P14D\" or \"PT12H\", was '"
              + Text.shown(keptFor)
              + "'",
          e);
    }
  }

  private static EventPolicy policy(Events events) {
    boolean windowed =
        events.value() == EventPolicy.Kind.DENSE_WINDOW
            || events.value() == EventPolicy.Kind.SPARSE_WINDOW;
    if (!windowed && (events.size() != 0 || events.givingUpHoles())) {
      throw new IllegalArgumentException("size and givingUpHoles do not go with " + events.value());
    }
    EventPolicy policy =
        switch (events.value()) {
          case DROP_LATE -> EventPolicy.dropLate();
          case CONTIGUOUS -> EventPolicy.contiguous();
          case DENSE_WINDOW -> EventPolicy.denseWindow(events.size());
          case SPARSE_WINDOW -> EventPolicy.sparseWindow(events.size());
        };
    if (events.givingUpHoles()) {
      policy = policy.givingUpHoles();
    }
    return events.startingAt() == 1 ? policy : policy.startingAt(events.startingAt());
  }
}
