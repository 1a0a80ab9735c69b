package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Count;
import dev.tidemark.tck.Transactions.Delivered;
import dev.tidemark.tck.Transactions.Inboxed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Messages in an inbox: in the transaction, and claimed before it. */
final class InboxLife implements Life {
  private static final Duration LEASE = Duration.ofSeconds(60);

  /** What a counter comes to before handlers are refused and another one is taken. */
  private static final int FULL = 3;

  /** How a delivery goes. */
  private enum Way {
    HANDLED,
    THROWS,
    CLAIMED,
    CLAIMED_AND_THROWS,
    CLAIMED_AND_DIES,
    CLAIMED_AND_LOST,
    CLAIMED_AND_OVERTAKEN;

    private boolean claims() {
      return this != HANDLED && this != THROWS;
    }

    /** Whether a connection is lost, which takes longer than all else. */
    private boolean isSlow() {
      return this == CLAIMED_AND_LOST || this == CLAIMED_AND_OVERTAKEN;
    }

    private boolean throwing() {
      return this == THROWS || this == CLAIMED_AND_THROWS || this == CLAIMED_AND_DIES;
    }
  }

  /** A handler that fails. */
  private static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A message of one subscriber. */
  private record Entry(String subscriber, MessageId message, InboxModel model) {}

  private final Backend backend;
  private final MovableClock clock;
  private final Transactions transactions;
  private final List<Entry> entries = new ArrayList<>();
  private String counter = Some.name();
  private int counted;

  InboxLife(Backend backend, MovableClock clock) {
    this.backend = backend;
    this.clock = clock;
    this.transactions = backend.transactions(clock);
    for (MessageId message : List.of(Some.id(), MessageId.of("two", Some.name()))) {
      for (String subscriber : List.of("billing", "search")) {
        entries.add(new Entry(subscriber, message, new InboxModel()));
      }
    }
  }

  @Override
  public Told turn(Random random, MovableClock clock) {
    Entry entry = entries.get(random.nextInt(entries.size()));
    Way drawn = Way.values()[random.nextInt(Way.values().length)];
    if (counted == FULL && random.nextBoolean()) {
      counter = Some.name();
      counted = 0;
    }
    String before = entry.model.inTheWay(clock.millis());
    if (drawn.isSlow() && random.nextInt(3) > 0) {
      drawn = Way.CLAIMED;
    }
    Way way = before.isEmpty() ? drawn : drawn.claims() ? Way.CLAIMED : Way.HANDLED;
    String expected = before.isEmpty() ? handled(entry.model, way) : before;
    String found = found(entry, way);
    assertEquals(expected, found, way::name);
    assertEquals(counted, transactions.counted(counter), way::name);
    Inboxed state = entry.model.stored();
    assertEquals(state, transactions.inboxed(entry.subscriber, entry.message), way::name);
    String operation = "inbox" + (way.claims() ? " with a claim" : "");
    String how = way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return new Told(operation, how + ": " + found, state.name(), found.equals("Applied"));
  }

  /** What the model says of a message that nothing is in the way of. */
  private String handled(InboxModel model, Way way) {
    long now = clock.millis();
    if (way.claims()) {
      model.claim(now, LEASE.toMillis());
    }
    if (way.throwing() || counted == FULL) {
      if (way.claims() && way != Way.CLAIMED_AND_DIES) {
        model.giveUp();
      }
      return way.throwing() ? "thrown" : "Refused";
    }
    counted++;
    boolean overtaken = way == Way.CLAIMED_AND_OVERTAKEN;
    model.record(overtaken ? now + 2 * LEASE.toMillis() : now);
    return overtaken ? "Duplicate" : "Applied";
  }

  private String found(Entry entry, Way way) {
    Duration claim = way.claims() ? LEASE : null;
    Delivered delivered = new Delivered(entry.subscriber, entry.message, claim);
    if (way == Way.CLAIMED_AND_LOST) {
      backend.faults().loseReplies(1, () -> {});
    } else if (way == Way.CLAIMED_AND_OVERTAKEN) {
      backend.faults().loseReplies(1, () -> overtake(entry));
    }
    try {
      return word(transactions.handle(delivered, () -> work(way), new Count(counter, FULL)));
    } catch (Thrown e) {
      return "thrown";
    } finally {
      backend.faults().heal();
    }
  }

  /** Another process handles the message when the lease of the first one has ended. */
  private void overtake(Entry entry) {
    clock.move(LEASE.multipliedBy(2));
    Delivered other = new Delivered(entry.subscriber, entry.message, null);
    transactions.handle(other, () -> {}, new Count(counter, FULL));
  }

  private void work(Way way) {
    switch (way) {
      case THROWS, CLAIMED_AND_THROWS -> throw new Thrown();
      case CLAIMED_AND_DIES -> {
        backend.faults().throttle(100); // so that the claim cannot be given up
        throw new Thrown();
      }
      default -> {}
    }
  }

  private static String word(Handled<String> handled) {
    if (handled instanceof Handled.InFlight<String> inFlight) {
      Duration left = inFlight.retryAfter();
      assertTrue(!left.isNegative() && left.compareTo(LEASE.plusMillis(1)) <= 0, left::toString);
    }
    return handled.getClass().getSimpleName();
  }
}
