package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.EXECUTIONS)
@DisplayName("One random stream of executions, tracked writes, transactions and an inbox")
final class StreamContract {
  private static final int MOST_BATCHES = 2_000;
  private static final List<Duration> TIMES =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(69),
          Duration.ofSeconds(71),
          Duration.ofHours(25),
          Duration.ofDays(31));

  private final Backend backend;
  private final MovableClock clock = MovableClock.later();
  private final List<Life> lives = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private final Map<String, Set<Boolean>> operations = new TreeMap<>();

  StreamContract(Backend backend) {
    this.backend = backend;
    TrackedLife views = new TrackedLife(backend, clock);
    Life executions = new ExecutionLife(backend.recordStore(clock), clock);
    lives.addAll(List.of(executions, executions, views, views));
    if (!backend.missing().containsKey(Capability.TRANSACTIONS)) {
      lives.add(new TransactionLife(views, backend.transactions(clock)));
      lives.add(new InboxLife(backend, clock));
    }
  }

  @Test
  @DisplayName("answers and ends as the model says, until nothing new is seen")
  void stream() {
    long seed = Sizes.seed();
    System.out.println("random stream: -Dtidemark.seed=" + seed);
    Random random = new Random(seed);
    int size = Sizes.batch(backend);
    int batches = 0;
    for (int quiet = 0; quiet < Sizes.quietBatches(backend) || !isComplete(); batches++) {
      assertTrue(batches < MOST_BATCHES, () -> "never both ways: " + oneWay());
      int before = seen.size();
      for (int i = 0; i < size; i++) {
        turn(random);
      }
      quiet = seen.size() == before ? quiet + 1 : 0;
    }
    assertEquals(Set.of(), oneWay());
    System.out.printf(
        "stream: %d kinds of (operation, answer, state) of %d operations in %d batches of %d%n",
        seen.size(), operations.size(), batches, size);
  }

  private void turn(Random random) {
    if (random.nextInt(10) == 0) {
      clock.move(TIMES.get(random.nextInt(TIMES.size())));
      return;
    }
    Life.Told told = lives.get(random.nextInt(lives.size())).turn(random, clock);
    seen.add(told.triple());
    operations.computeIfAbsent(told.operation(), any -> new TreeSet<>()).add(told.succeeded());
  }

  private boolean isComplete() {
    return oneWay().isEmpty();
  }

  /** Operations that always succeeded, or were always refused. */
  private Set<String> oneWay() {
    Set<String> oneWay = new TreeSet<>();
    operations.forEach(
        (operation, ways) -> {
          if (ways.size() < 2) {
            oneWay.add(operation);
          }
        });
    return oneWay;
  }
}
