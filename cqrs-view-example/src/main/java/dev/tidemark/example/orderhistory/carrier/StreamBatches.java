package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.ResumableViews;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands events of a change stream to the views, holds those that are not done, and knows the token
 * up to which everything is done. For one thread, but for {@link #held} and {@link #deadLetters}.
 */
final class StreamBatches {
  /** So many events may be held before the stream has to wait for them. */
  static final int MOST_HELD = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(ChangeStreamCarrier.class);

  /** What was missing may come behind those that wait for it, but has to be handled before. */
  private static final Comparator<StreamedEvent> BY_VERSION =
      Comparator.comparingLong(StreamedEvent::version);

  private static final Duration IDLE = Duration.ofMinutes(1);

  private final ResumableViews views;
  private final DeadLetterCollection deadLetters;
  private final Clock clock;
  private final Reasons reasons;
  private final Batches<StreamedEvent> batches;
  private List<StreamedEvent> held = List.of();
  private volatile @Nullable HeldEvents state;
  private @Nullable String doneUpTo;
  private Instant remembered;

  StreamBatches(ResumableViews views, DeadLetterCollection deadLetters, Clock clock) {
    this.views = views;
    this.deadLetters = deadLetters;
    this.clock = clock;
    this.reasons = new Reasons(deliveries -> views.apply(deliveries, doneUpTo));
    this.batches = new Batches<>(StreamedEvent::delivery, reasons, deadLetters);
    this.remembered = clock.instant();
  }

  /** Forgets what is held, which is to be read again; tells behind which token. */
  Optional<String> restart() {
    held = List.of();
    state = null;
    return Optional.ofNullable(doneUpTo).or(views::resumeToken);
  }

  /**
   * Handles what is held, and what came behind it up to a token; null where no token says what was
   * read.
   */
  void handle(List<StreamedEvent> fresh, @Nullable String end) {
    List<StreamedEvent> batch = new ArrayList<>(held);
    batch.addAll(fresh);
    Set<StreamedEvent> done = batch.isEmpty() ? Set.of() : done(batch);
    held = batch.stream().filter(event -> !done.contains(event)).toList();
    doneUpTo = held.isEmpty() ? end : held.get(0).before();
    hold(held.isEmpty() || done.contains(batch.get(0)));
  }

  private Set<StreamedEvent> done(List<StreamedEvent> batch) {
    try {
      return batches.handle(batch.stream().sorted(BY_VERSION).toList());
    } catch (RuntimeException e) {
      reasons.failed(e);
      return Set.of();
    }
  }

  private void hold(boolean progress) {
    Instant now = clock.instant();
    HeldEvents last = progress ? null : state;
    if (held.isEmpty()) {
      state = null;
    } else if (last == null || !last.until().isAfter(now)) {
      int attempts = last == null ? 1 : last.attempts() + 1;
      Duration pause = Backoff.after(attempts);
      Instant since = last == null ? now : last.since();
      String reason = reasons.of("");
      state = new HeldEvents(held.size(), reason, since, attempts, now.plus(pause));
      LOG.warn("{} events held for {}, attempt {}: {}", held.size(), pause, attempts, reason);
    }
  }

  boolean isFull() {
    return held.size() >= MOST_HELD;
  }

  boolean isDue() {
    HeldEvents waiting = state;
    return waiting != null && !waiting.until().isAfter(clock.instant());
  }

  Optional<HeldEvents> held() {
    return Optional.ofNullable(state);
  }

  /** Nothing came: now and then the token is stored alone, so that it does not grow too old. */
  void idle(@Nullable String token) {
    if (held.isEmpty()) {
      doneUpTo = token;
    }
    if (!remembered.plus(IDLE).isAfter(clock.instant())) {
      remember();
    }
  }

  /** Stores the token alone. */
  void remember() {
    if (doneUpTo != null) {
      var unused = views.apply(List.of(), doneUpTo);
    }
    remembered = clock.instant();
  }

  long deadLetters() {
    return deadLetters.count();
  }
}
