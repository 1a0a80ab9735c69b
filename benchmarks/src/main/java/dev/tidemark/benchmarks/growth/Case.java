package dev.tidemark.benchmarks.growth;

import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.benchmarks.measure.Event;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * One policy under which an entity grows.
 *
 * @param name as the table shows it
 * @param tracking the policy
 * @param step how much time passes on the writer's clock from message to message
 * @param most how many messages an entity can take under it, as far as ids are concerned
 * @param identity makes the message
 */
record Case(
    String name, Tracking tracking, Duration step, int most, Function<Event, Message> identity) {
  private static final Duration HORIZON = Duration.ofDays(10);
  private static final int IN_HORIZON = 1_000;
  private static final int FEW_IN_HORIZON = 20;

  static List<Case> all(int idsThatFit) {
    Tracking defaults = Tracking.defaults();
    Duration none = Duration.ZERO;
    int many = Integer.MAX_VALUE;
    return List.of(
        new Case("high water", defaults, none, many, Case::event),
        new Case(
            "window(100)", defaults.events(EventPolicy.denseWindow(100)), none, many, Case::event),
        new Case(
            "kept for, 20 in the horizon",
            defaults.messageIds(IdPolicy.keptFor(HORIZON)),
            HORIZON.dividedBy(FEW_IN_HORIZON),
            many,
            Case::id),
        new Case(
            "kept for, 1,000 in the horizon",
            defaults.messageIds(IdPolicy.keptFor(HORIZON)),
            HORIZON.dividedBy(IN_HORIZON),
            many,
            Case::id),
        new Case("last(100)", defaults.messageIds(IdPolicy.last(100)), none, many, Case::id),
        new Case("for ever", defaults.messageIds(IdPolicy.forEver()), none, idsThatFit, Case::id));
  }

  private static Message event(Event event) {
    return SourceEvent.of(Event.TYPE, event.entity(), event.position());
  }

  private static Message id(Event event) {
    return MessageId.of(event.id());
  }

  Message message(String entity, long position) {
    return identity.apply(Event.of(entity, position));
  }
}
