package dev.tidemark;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** All that a {@link Tracking} says, with what it says at first; copied before it is changed. */
final class TrackingSettings implements Cloneable {
  IdPolicy ids = IdPolicy.keptFor(Duration.ofDays(30));
  EventPolicy events = EventPolicy.dropLate();
  Map<String, EventPolicy> byType = Map.of();
  String subscriber = "";
  Tracking.AttributeNames names = Tracking.AttributeNames.defaults();
  Duration tombstones = Duration.ofDays(30);
  int maxSources = 1_000;
  int maxWaiting = 100;
  int outboxShards = 4;
  String cluster = "";
  boolean rebuilding;
  boolean beyondHorizonIsDone;

  List<Object> all() {
    return List.of(
        ids,
        events,
        byType,
        subscriber,
        names,
        tombstones,
        maxSources,
        maxWaiting,
        outboxShards,
        cluster,
        rebuilding,
        beyondHorizonIsDone);
  }

  /** A copy in which a setting is another. */
  TrackingSettings with(Consumer<TrackingSettings> setting) {
    try {
      TrackingSettings copy = (TrackingSettings) clone();
      setting.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
