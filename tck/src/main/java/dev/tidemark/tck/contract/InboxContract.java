package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Count;
import dev.tidemark.tck.Transactions.Delivered;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("An inbox")
final class InboxContract {
  private static final Duration LEASE = Duration.ofDays(4);

  private final MovableClock clock = MovableClock.later();
  private final Count count = new Count(Some.name(), 10);
  private final Backend backend;

  InboxContract(Backend backend) {
    this.backend = backend;
  }

  private Handled<String> handle(Delivered delivered, Runnable work) {
    return backend.transactions(clock).handle(delivered, work, count);
  }

  @Test
  @Needs(Capability.TRANSACTIONS)
  @DisplayName("remembers a message from when its handler has returned, with a claim and without")
  void remembered() {
    remembers(null);
    remembers(LEASE);
  }

  private void remembers(@Nullable Duration claim) {
    Delivered delivered = new Delivered("billing", Some.id(), claim);
    Handled<String> applied = new Handled.Applied<>("handled");
    Runnable slow = () -> clock.move(Transactions.KEPT.plusHours(1));
    assertEquals(applied, handle(delivered, slow));
    clock.move(Transactions.KEPT.minusMillis(1));
    assertEquals(new Handled.Duplicate<>(), handle(delivered, () -> {}));
    clock.move(Duration.ofSeconds(2));
    assertEquals(applied, handle(delivered, () -> {}));
  }

  @Test
  @Needs({Capability.TRANSACTIONS, Capability.LOST_REPLIES})
  @DisplayName("leaves no claim where its thread is interrupted before the answer to that")
  void interrupted() {
    Delivered delivered = new Delivered("billing", Some.id(), LEASE);
    Thread consumer = Thread.currentThread();
    backend.faults().loseReplies(1, consumer::interrupt);
    boolean done;
    try {
      done = handle(delivered, () -> {}).isDone();
    } catch (ContentionException | OutcomeUnknownException e) {
      done = false;
    } finally {
      backend.faults().heal();
    }
    assertEquals(true, Thread.interrupted(), "the thread stays interrupted");
    assertEquals(done, handle(delivered, () -> {}) instanceof Handled.Duplicate);
    assertEquals(1, backend.transactions(clock).counted(count.name()));
  }
}
