package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.MessageId;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Steps;
import dev.tidemark.execution.StoredExecutions;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import dev.tidemark.tck.MovableClock;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Idempotency keys: claimed, renewed, finished, failed, released, taken over and forgotten. */
final class ExecutionLife implements Life {
  private static final int KEYS = 3;

  private final MovableClock clock;
  private final Mortal records;
  private final Executions executions;
  private final List<Key> keys = new ArrayList<>();

  ExecutionLife(RecordStore records, MovableClock clock) {
    this.clock = clock;
    this.records = new Mortal(records);
    this.executions =
        Executions.builder("lives", this.records)
            .storing(IllegalArgumentException.class, e -> "declined")
            .build();
    for (int i = 0; i < KEYS; i++) {
      keys.add(new Key(Some.name()));
    }
  }

  /** A key, what is expected of it, and what its step did. */
  private static final class Key {
    private final String name;
    private final ExecutionModel model = new ExecutionModel();
    private int effects;

    Key(String name) {
      this.name = name;
    }
  }

  /** A killed process. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Records of a process that may be killed: then nothing more is written. */
  private static final class Mortal implements RecordStore {
    private final RecordStore records;
    private boolean killed;

    Mortal(RecordStore records) {
      this.records = records;
    }

    @Override
    public Answer<StoredRecord> write(ConditionalWrite write) {
      if (killed) {
        throw new Killed();
      }
      return records.write(write);
    }

    @Override
    public Optional<StoredRecord> read(String key) {
      return records.read(key);
    }

    @Override
    public List<String> due(String partition, long from, long before, int most) {
      return records.due(partition, from, before, most);
    }

    @Override
    public List<String> pending(String partition, String prefix, int most) {
      return records.pending(partition, prefix, most);
    }

    @Override
    public List<String> list(String prefix, @Nullable String after, int most) {
      return records.list(prefix, after, most);
    }

    @Override
    public Clock clock() {
      return records.clock();
    }

    @Override
    public int mostBytes() {
      return records.mostBytes();
    }
  }

  @Override
  public Told turn(Random random, MovableClock clock) {
    Key key = keys.get(random.nextInt(KEYS));
    boolean parked = key.model.state() == ExecutionModel.State.PARKED;
    Told told =
        switch (random.nextInt(parked ? 3 : 12)) {
          case 0 -> same("release", key.model.release(now()), released(key));
          case 1 -> same("forget", key.model.forget(now()), executions.forget(key.name));
          default -> ran(key, random);
        };
    assertEquals(key.model.effects(), key.effects, told.triple());
    ExecutionModel.State state = key.model.state();
    assertEquals(state, stored(key), () -> told.triple() + " of " + key.name);
    return new Told(told.operation(), told.answer(), state.name(), told.succeeded());
  }

  /** A person releases what is there. */
  private boolean released(Key key) {
    return StoredExecutions.of("lives", records)
        .find(key.name)
        .filter(executions::release)
        .isPresent();
  }

  private long now() {
    return clock.millis();
  }

  private static Told same(String what, boolean expected, boolean found) {
    assertEquals(expected, found, what);
    return new Told(what, "" + found, "", found);
  }

  private ExecutionModel.State stored(Key key) {
    return records
        .read(MessageId.of("lives", key.name).value())
        .map(record -> ExecutionModel.State.valueOf("" + record.fields().get("state")))
        .orElse(ExecutionModel.State.NONE);
  }

  private Told ran(Key key, Random random) {
    String request = "request " + (random.nextInt(8) == 0);
    ExecutionModel.Work[] all = ExecutionModel.Work.values();
    ExecutionModel.Work work = all[random.nextInt(all.length)];
    String expected = key.model.run(request, work, now());
    String found;
    try {
      found =
          word(executions.run(key.name, request, Integer.class, s -> work(key, request, work, s)));
    } catch (IllegalStateException e) {
      found = "thrown";
    } catch (Killed e) {
      found = "killed";
    } finally {
      records.killed = false;
    }
    assertEquals(expected, found, () -> work + " with " + request);
    String operation = "execution, work " + work.name().toLowerCase(Locale.ROOT);
    return new Told(operation, found, "", key.model.hasWorked());
  }

  private static String word(Execution<Integer> execution) {
    execution.result().ifPresent(value -> assertEquals(7, value));
    return execution.getClass().getSimpleName();
  }

  private Integer work(Key key, String request, ExecutionModel.Work work, Steps steps) {
    switch (work) {
      case RETURNS -> {
        return 7;
      }
      case THROWS -> throw new IllegalStateException("later");
      case FAILS -> throw new IllegalArgumentException("declined");
      case DIES -> throw killed();
      case STEPS -> step(key, steps);
      case THROWS_BEHIND_STEP -> {
        step(key, steps);
        throw new IllegalStateException("later");
      }
      case DIES_IN_STEP -> {
        steps.act(
            "step",
            downstream -> {
              key.effects++;
              throw killed();
            });
        throw killed();
      }
      case IS_OVERTAKEN -> {
        clock.move(Duration.ofMillis(2 * ExecutionModel.LEASE));
        assertEquals(
            "Executed", word(executions.run(key.name, request, Integer.class, others -> 7)));
      }
    }
    return 7;
  }

  private static void step(Key key, Steps steps) {
    steps.act("step", downstream -> key.effects++);
  }

  /** From here on, what the process would write does not come to pass. */
  private Killed killed() {
    records.killed = true;
    return new Killed();
  }
}
