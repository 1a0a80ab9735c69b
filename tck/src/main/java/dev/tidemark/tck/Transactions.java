package dev.tidemark.tck;

import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.inbox.Handled;
import dev.tidemark.transaction.Committed;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of a configuration: over its views, and over an inbox whose handlers count in
 * counters that nobody tracks. Where a store has no answer for a write of the caller's own whose
 * condition is false, it is told as the other stores tell it.
 */
public interface Transactions {
  /**
   * For how long an inbox remembers: half a second more than a day, since stores round to either
   * side.
   */
  Duration KEPT = Duration.ofDays(1).plusMillis(500);

  /**
   * A tracked write of a view that is keyed by one string.
   *
   * @param tracking what the view remembers
   * @param write what it does
   */
  record Tracked(Tracking tracking, Write<View> write) {}

  /**
   * A write of the caller's own: one more, on the condition that the counter is below a number.
   *
   * @param name the counter's
   * @param below the number
   */
  record Count(String name, int below) {}

  /**
   * A delivery to a subscriber.
   *
   * @param subscriber who handles it
   * @param message its id
   * @param claim how long the message is claimed for, before its handler runs; null for no claim
   */
  record Delivered(String subscriber, MessageId message, @Nullable Duration claim) {}

  /** What is stored of a message in the inbox, expired or not. */
  enum Inboxed {
    /** Nothing. */
    NOTHING,
    /** A claim. */
    CLAIM,
    /** That it was handled. */
    RECORD
  }

  /**
   * Makes all writes or none.
   *
   * @param tracked of views of their own
   * @param count after them; null for none
   * @return what came of it
   */
  Committed commit(List<Tracked> tracked, @Nullable Count count);

  /**
   * Handles a message in the inbox.
   *
   * @param delivered the message
   * @param work runs in the handler
   * @param count is what the handler writes
   * @return what came of it
   */
  Handled<String> handle(Delivered delivered, Runnable work, Count count);

  /**
   * A counter.
   *
   * @param name its name
   * @return what it has come to, read past the library
   */
  int counted(String name);

  /**
   * What the inbox has stored, read past the library.
   *
   * @param subscriber who handles it
   * @param message its id
   * @return also where its time is over
   */
  Inboxed inboxed(String subscriber, MessageId message);
}
