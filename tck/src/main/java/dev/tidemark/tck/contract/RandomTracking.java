package dev.tidemark.tck.contract;

import dev.tidemark.EventPolicy;
import dev.tidemark.Events;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Draws what a deployment tracks, of every policy and every setting; the next deployment may have
 * another one. Whatever is drawn keeps more message IDs and sources than a script has.
 */
final class RandomTracking {
  /** How long tombstones are kept. */
  static final Duration BURIED = Duration.ofHours(1);

  /** How long message IDs are kept: longer than a script lasts, so that none is forgotten. */
  private static final Duration KEPT = Duration.ofHours(12);

  /** Types of sources whose positions are numbers. */
  static final List<String> NUMBERED = List.of("One", "Two");

  /** A type of sources whose positions are strings of one width, which no dense policy takes. */
  static final String TEXTUAL = "Text";

  private static final List<AttributeNames> NAMES =
      List.of(
          AttributeNames.defaults(),
          new AttributeNames("ids", "seen", "rev", "born", "gone", "out"));

  /** What classes say by their annotations. */
  private static final List<Class<?>> ANNOTATED = List.of(Kept.class, Last.class, Ever.class);

  @Tracked(
      messageIds = @MessageIds(keptFor = "PT12H", compact = true),
      events = {
        @Events(type = "One", value = EventPolicy.Kind.CONTIGUOUS, startingAt = 0),
        @Events(type = "Two", value = EventPolicy.Kind.DENSE_WINDOW, size = 2, givingUpHoles = true)
      })
  private static final class Kept {}

  @Tracked(messageIds = @MessageIds(last = 40), events = @Events(type = "Two"))
  private static final class Last {}

  @Tracked(
      messageIds = @MessageIds(forEver = true),
      events = @Events(value = EventPolicy.Kind.SPARSE_WINDOW, size = 3))
  private static final class Ever {}

  private final Random random;
  private final AttributeNames names;

  /** A script's deployments, which have the names of attributes in common. */
  RandomTracking(Random random) {
    this.random = random;
    this.names = random.nextInt(6) == 0 ? NAMES.get(1) : NAMES.get(0);
  }

  Tracking draw() {
    if (random.nextInt(6) == 0) {
      Class<?> annotated = ANNOTATED.get(random.nextInt(ANNOTATED.size()));
      return common(Tracking.of(annotated)).events(TEXTUAL, textual());
    }
    Tracking tracking = common(Tracking.defaults()).messageIds(ids()).events(numbered());
    for (String type : NUMBERED) {
      tracking = tracking.events(type, numbered());
    }
    return tracking.events(TEXTUAL, textual());
  }

  /** What any tracking may have beside its policies. */
  private Tracking common(Tracking start) {
    Tracking tracking = start.names(names).tombstonesKeptFor(BURIED);
    return switch (random.nextInt(12)) {
      case 0 -> tracking.rebuilding();
      case 1 -> tracking.acknowledgingBeyondHorizon();
      case 2 -> tracking.maxSources(100);
      case 3 -> tracking.outbox(1_000, 4);
      case 4 -> tracking.cluster("eu-" + random.nextInt(2));
      case 5, 6, 7 -> tracking.as("search");
      default -> tracking;
    };
  }

  private IdPolicy ids() {
    IdPolicy policy =
        switch (random.nextInt(3)) {
          case 0 -> IdPolicy.forEver();
          case 1 -> IdPolicy.last(40);
          default -> IdPolicy.keptFor(KEPT).maxSkew(Duration.ofMinutes(random.nextInt(10)));
        };
    return random.nextBoolean() ? policy.compact() : policy;
  }

  private EventPolicy numbered() {
    return switch (random.nextInt(6)) {
      case 0 -> EventPolicy.dropLate();
      case 1 -> EventPolicy.contiguous().startingAt(random.nextInt(3));
      case 2 -> EventPolicy.denseWindow(1 + random.nextInt(6)).startingAt(random.nextInt(3));
      case 3 -> EventPolicy.denseWindow(1 + random.nextInt(6)).givingUpHoles();
      case 4 -> EventPolicy.contiguous();
      default -> EventPolicy.sparseWindow(1 + random.nextInt(6));
    };
  }

  private EventPolicy textual() {
    return random.nextBoolean() ? EventPolicy.dropLate() : EventPolicy.sparseWindow(2);
  }
}
