package dev.tidemark.lab.transfers;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.MessageId;
import dev.tidemark.Write;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Cents that go from one account to another, and an entry that says so. What its deliveries were
 * told is noted beside it. For any number of threads.
 */
final class Transfer {
  private final int number;
  private final String from;
  private final String to;
  private final long cents;
  private final boolean tracked;
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger unknown = new AtomicInteger();
  private volatile boolean done;

  /**
   * A transfer.
   *
   * @param tracked whether its accounts are tracked entities; else an inbox knows the message
   */
  Transfer(int number, String from, String to, long cents, boolean tracked) {
    this.number = number;
    this.from = from;
    this.to = to;
    this.cents = cents;
    this.tracked = tracked;
  }

  /** What a delivery was told. */
  enum Told {
    /** It has made the transfer. */
    MADE,
    /** Another one had. */
    KNOWN,
    /** Nobody knows. */
    UNKNOWN,
    /** It has made nothing. */
    NOTHING
  }

  /** The same under another number. */
  Transfer as(int other) {
    return new Transfer(other, from, to, cents, tracked);
  }

  MessageId message() {
    return MessageId.of("transfer", Integer.toString(number));
  }

  boolean isTracked() {
    return tracked;
  }

  /** What each row gains by it, the entry included. */
  Map<String, Long> changes() {
    return Map.of(from, -cents, to, cents, "transfer-" + number, cents);
  }

  /** The same as tracked writes: changes, and a function at times. */
  List<Write<Account>> writes() {
    return changes().entrySet().stream()
        .map(entry -> write(entry.getKey(), entry.getValue()))
        .toList();
  }

  private Write<Account> write(String id, long by) {
    return number % 4 == 0 && by > 0
        ? Write.apply(message(), key(id), Account::new, account -> account.changed(by))
        : Write.update(
            message(), key(id), change().add("cents", by).add("times", 1).createIfMissing());
  }

  void note(Told told) {
    switch (told) {
      case MADE -> made.incrementAndGet();
      case UNKNOWN -> unknown.incrementAndGet();
      case KNOWN, NOTHING -> {}
    }
    if (told == Told.MADE || told == Told.KNOWN) {
      done = true;
    }
  }

  boolean isDone() {
    return done;
  }

  /** Whether it was told so often that it was made as it has to be. */
  boolean wasToldRight() {
    return made.get() == 1 || (made.get() == 0 && unknown.get() > 0);
  }

  @Override
  public String toString() {
    return (tracked ? "transaction " : "inbox ")
        + number
        + ", made "
        + made
        + ", unknown "
        + unknown;
  }
}
