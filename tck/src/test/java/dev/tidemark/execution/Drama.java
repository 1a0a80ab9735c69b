package dev.tidemark.execution;

import dev.tidemark.MessageId;
import dev.tidemark.TidemarkException;
import dev.tidemark.execution.HeldRecords.Trouble;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.store.RecordStore;
import dev.tidemark.tck.MemoryRecordStore;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Several processes that are called with one key, one after the other and at the same time, drawn
 * from a seed; and the effects of what they did, which it counts and judges.
 */
final class Drama implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration SKEW = Duration.ofMillis(100);
  private static final String KEY = "1";
  private static final List<String> STEPS = List.of("reserve", "charge", "send");

  /** How the work is written. */
  enum Kind {
    /** One effect. */
    PLAIN,
    /** One effect in several stretches, between which the lease is renewed. */
    RENEWED,
    /** Steps that wait for a person where they are in doubt. */
    PARKING,
    /** Steps that ask whether they have acted. */
    ASKING,
    /** Steps that act again. */
    RETRYING,
    /** Steps that ask, and a last write that tells of itself. */
    COMPLETED
  }

  private final Kind kind;
  private final Random random;
  private final Trouble trouble;
  private final Timeline timeline = new Timeline();
  private final RecordStore stored = new MemoryRecordStore(new MovableClock());
  private final List<Timeline.Actor> processes = new ArrayList<>();
  private final Map<String, Integer> acted = new TreeMap<>();
  private final Set<MessageId> written = new HashSet<>();
  private final Set<String> atWork = new TreeSet<>();
  private final Set<Integer> results = new HashSet<>();
  private long highestFence;
  private int number;

  Drama(Kind kind, long seed, Trouble trouble) {
    this.kind = kind;
    this.random = new Random(seed);
    this.trouble = trouble;
  }

  /** How often each effect came about. */
  Map<String, Integer> acted() {
    return acted;
  }

  /** How many entities the last write has changed. */
  int written() {
    return written.size();
  }

  /** What all calls gave that gave a result. */
  Set<Integer> results() {
    return results;
  }

  /** Lets processes be called, and some of them be killed or interrupted in the middle. */
  void play(int callers, int kills, int interrupts) {
    for (int i = 0; i < callers; i++) {
      begin(random.nextInt(3) == 0 ? Trouble.NONE : trouble, 6); // who is quick comes in between
    }
    for (int i = 0; i < kills; i++) {
      timeline.at(sometime(), () -> any().ifPresent(this::kill));
    }
    for (int i = 0; i < interrupts; i++) {
      timeline.at(sometime(), () -> any().ifPresent(Timeline.Actor::interrupt));
    }
    timeline.run();
  }

  /** Calls until there is a result, with nothing in the way. */
  void finish() {
    begin(Trouble.NONE, 30);
    timeline.run();
  }

  private long sometime() {
    return (long) (random.nextDouble() * 8 * LEASE.toNanos());
  }

  private Optional<Timeline.Actor> any() {
    List<Timeline.Actor> living = processes.stream().filter(Timeline.Actor::isAlive).toList();
    return living.isEmpty()
        ? Optional.empty()
        : Optional.of(living.get(random.nextInt(living.size())));
  }

  private void kill(Timeline.Actor process) {
    process.kill();
    begin(trouble, 6);
  }

  private void begin(Trouble met, int calls) {
    Duration wrong = Duration.ofMillis(random.nextLong(-50, 51));
    HeldRecords records = new HeldRecords(stored, timeline, random, met, wrong);
    Caller caller = new Caller("p" + number++, records);
    Timeline.Actor process = timeline.start(caller.name, () -> caller.live(calls));
    records.of(process);
    processes.add(process);
  }

  @Override
  public void close() {
    timeline.close();
  }

  /** A process that is called again until it has a result. */
  private final class Caller {
    private final String name;
    private final HeldRecords records;
    private final Executions executions;

    Caller(String name, HeldRecords records) {
      this.name = name;
      this.records = records;
      ExecutionsBuilder builder =
          Executions.builder("orders", records)
              .lease(LEASE)
              .maxSkew(SKEW)
              .time(timeline::now, any -> records.sleep(random.nextLong(1, 100_000_000)));
      this.executions =
          (random.nextInt(4) > 0 ? builder.waitingUpTo(LEASE.multipliedBy(2)) : builder).build();
    }

    void live(int calls) {
      for (int i = 0; i < calls; i++) {
        try {
          Execution<Integer> answer = call();
          answer.result().ifPresent(results::add);
          if (answer.isDone()) {
            return;
          }
          if (answer instanceof Execution.InDoubt) {
            settle();
          }
        } catch (TidemarkException e) {
          // it is delivered again
        }
        if (!Thread.interrupted()) {
          records.sleep((long) (random.nextDouble() * LEASE.toNanos()));
        }
      }
    }

    private Execution<Integer> call() {
      return kind == Kind.COMPLETED
          ? executions.run(KEY, "request", Integer.class, new Written(), this::work)
          : executions.run(KEY, "request", Integer.class, this::work);
    }

    /** A person, maybe one of several, who looks some time later, thinks, and says what was. */
    private void settle() {
      records.sleep(2 * LEASE.toNanos());
      StoredExecution seen = StoredExecutions.of("orders", records).find(KEY).orElse(null);
      if (seen == null || seen.state() != State.PARKED || seen.inDoubt().isEmpty()) {
        return;
      }
      String step = seen.inDoubt().get(0);
      Integer times = acted.get(step);
      records.sleep((long) (random.nextDouble() * 8 * LEASE.toNanos()));
      try {
        boolean unused =
            times == null
                ? executions.release(seen)
                : executions.release(KEY, step, Integer.class, times);
      } catch (IllegalArgumentException e) {
        // another person was quicker, and it waits for another step by now
      }
    }

    private Integer work(Steps steps) {
      if (steps.fence() < highestFence) {
        throw new AssertionError("a fence fell");
      }
      highestFence = steps.fence();
      return switch (kind) {
        case PLAIN -> act("work");
        case RENEWED -> {
          for (int stretch = 0; stretch < 3; stretch++) {
            take();
            steps.renew();
          }
          yield act("work");
        }
        case PARKING -> inSteps(steps, Doubt.park(), Doubt.park(), Doubt.park());
        case RETRYING -> inSteps(steps, Doubt.retry(), Doubt.retry(), Doubt.retry());
        case ASKING, COMPLETED ->
            inSteps(steps, asking("reserve"), asking("charge"), asking("send"));
      };
    }

    private Integer inSteps(Steps steps, Doubt<Integer> a, Doubt<Integer> b, Doubt<Integer> c) {
      int sum = steps.step(STEPS.get(0), Integer.class, a, key -> act(STEPS.get(0)));
      sum += steps.step(STEPS.get(1), Integer.class, b, key -> act(STEPS.get(1)));
      return sum + steps.step(STEPS.get(2), Integer.class, c, key -> act(STEPS.get(2)));
    }

    private Doubt<Integer> asking(String step) {
      return Doubt.ask(
          key -> {
            records.way("a question");
            Optional<Integer> answer = Optional.ofNullable(acted.get(step));
            records.way("what is told");
            return answer;
          });
    }

    /** Acts, which takes no longer than the page allows. */
    private Integer act(String effect) {
      take();
      return acted.merge(effect, 1, Integer::sum);
    }

    /** Is at work for less than half a lease; sees that nobody else is. */
    private void take() {
      if (!atWork.isEmpty() && !atWork.equals(Set.of(name))) {
        throw new AssertionError(name + " is at work beside " + atWork);
      }
      atWork.add(name);
      try {
        long half = LEASE.toNanos() / 2;
        records.sleep((long) (Math.sqrt(random.nextDouble()) * half)); // mostly most of it
      } finally {
        atWork.remove(name);
      }
    }

    /** A last write, whose request and reply are held like others. */
    private final class Written implements Completion<Integer, Integer> {
      @Override
      public Optional<Integer> find(MessageId message) {
        records.way("a look for the last write");
        Optional<Integer> found = found(message);
        records.way("what was found of it");
        return found;
      }

      private Optional<Integer> found(MessageId message) {
        return written.contains(message) ? Optional.of(3) : Optional.empty();
      }

      @Override
      public Optional<Made<Integer>> make(MessageId message, Integer prepared) {
        records.way("the last write");
        boolean before = !written.add(message);
        records.way("what became of the last write");
        return Optional.of(new Made<>(3, before));
      }
    }
  }
}
