package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
        EventPolicy policy =
            new EventPolicy(
                events.value(), events.size(), events.startingAt(), events.givingUpHoles());
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
    List<IdPolicy> ways = new ArrayList<>();
    if (ids.forEver()) {
      ways.add(IdPolicy.forEver());
    }
    if (ids.last() != 0) {
      ways.add(IdPolicy.last(ids.last()));
    }
    if (!ids.keptFor().isEmpty()) {
      ways.add(IdPolicy.keptFor(duration(ids.keptFor())));
    }
    if (ways.size() > 1) {
      throw new IllegalArgumentException(
          "messageIds sets more than one of keptFor, last and forEver; set only one of them");
    }
    IdPolicy policy = ways.isEmpty() ? Tracking.defaults().messageIds() : ways.get(0);
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
}
