package dev.tidemark.kernel;

import dev.tidemark.Mark;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a delivery deserves, by the marks alone.
 *
 * @param kind fresh, or why not
 * @param expected of a gap, the lowest position that is missing
 * @param holes of a gap, what is missing below the delivery
 */
public record Judgement(Kind kind, @Nullable Position expected, List<Outcome.Hole> holes) {
  static final Judgement FRESH = new Judgement(Kind.FRESH, null, List.of());
  static final Judgement DUPLICATE = new Judgement(Kind.DUPLICATE, null, List.of());
  static final Judgement STALE = new Judgement(Kind.STALE, null, List.of());
  static final Judgement BEYOND_HORIZON = new Judgement(Kind.BEYOND_HORIZON, null, List.of());

  /** The judge's answers. */
  public enum Kind {
    /** To be applied, if the entity is there and the caller's condition true. */
    FRESH,
    /** Applied before. */
    DUPLICATE,
    /** Overtaken by a later event, and dropped. */
    STALE,
    /** Too far ahead. */
    GAP,
    /** Too old to tell. */
    BEYOND_HORIZON
  }

  /**
   * Copies the holes.
   *
   * @param kind fresh, or why not
   * @param expected of a gap, the lowest position that is missing
   * @param holes of a gap, what is missing below the delivery
   */
  public Judgement {
    holes = List.copyOf(holes);
  }

  static Judgement gap(Position expected, List<Outcome.Hole> holes) {
    return new Judgement(Kind.GAP, expected, holes);
  }

  /** What is said of a delivery that is not fresh. */
  <T> Outcome<T> outcome(@Nullable T entity, @Nullable Mark mark, boolean beyondHorizonIsDone) {
    return switch (kind) {
      case DUPLICATE -> new Outcome.Duplicate<>(entity, mark);
      case STALE -> new Outcome.Stale<>(entity, Objects.requireNonNull(mark));
      case GAP -> new Outcome.Gap<>(entity, Objects.requireNonNull(expected), holes);
      case BEYOND_HORIZON -> new Outcome.BeyondHorizon<>(entity, beyondHorizonIsDone);
      case FRESH -> throw new AssertionError("fresh");
    };
  }
}
