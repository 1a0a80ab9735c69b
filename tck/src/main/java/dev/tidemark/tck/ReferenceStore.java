package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.Step;
import dev.tidemark.kernel.Text;
import dev.tidemark.kernel.Verdict;
import dev.tidemark.marks.MarkCache;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory: the kernel's run over a map. For the contracts of the kernel, and for users'
 * own fast tests. Safe for use by many threads.
 *
 * @param <T> the entity's type
 */
public final class ReferenceStore<T> implements EntityStore<T> {
  private static final int MOST_TRIES = 200;
  private static final int MOST_LOST = 8;

  /** What a try costs that was turned away: eight of them are the end. */
  private static final int TURNED_AWAY = 25;

  private static final int LONGEST_PAUSE = 1 << 18;

  private static final Patience PATIENCE =
      new Patience(
          MOST_TRIES, MOST_LOST, 0, tries -> pause(1_000L * tries), race -> pause(LONGEST_PAUSE));

  private final ReferenceTable table;
  private final ReferenceRecords<T> records;
  private final ReferenceWire wire;
  private final ReferenceMapper<T> mapper;
  private final Tracking tracking;
  private final Clock clock;
  private final Names names;
  private final Recall recall;

  ReferenceStore(
      ReferenceTable table,
      ReferenceWire wire,
      ReferenceMapper<T> mapper,
      Tracking tracking,
      Clock clock,
      @Nullable MarkCache cache) {
    this.table = table;
    this.wire = wire;
    this.mapper = mapper;
    this.tracking = tracking;
    this.clock = clock;
    this.names = Names.flat(tracking);
    this.records = new ReferenceRecords<>(table, new ReferenceMapping<>(mapper, names), names);
    this.recall = new Recall(cache, tracking, table);
  }

  /**
   * An empty store.
   *
   * @param mapper turns entities into attributes
   * @param tracking what entities remember
   * @param clock the writer's clock
   * @param <T> the entity's type
   * @return a store of its own
   */
  public static <T> ReferenceStore<T> of(
      ReferenceMapper<T> mapper, Tracking tracking, Clock clock) {
    return new ReferenceStore<>(
        new ReferenceTable(), new ReferenceFaults(), mapper, tracking, clock, null);
  }

  /** What this store has published. */
  MemoryOutboxRecords outbox() {
    return new MemoryOutboxRecords(table, wire, tracking, clock);
  }

  private static Duration pause(long longest) {
    return Duration.ofNanos(
        ThreadLocalRandom.current().nextLong(Math.min(longest, LONGEST_PAUSE) + 1));
  }

  @Override
  public Tracking tracking() {
    return tracking;
  }

  @Override
  public Outcome<T> write(Write<T> write) {
    Result<T> result = run(List.of(Text.given("write", write))).get(0);
    if (result instanceof Result.Failed<T> failed) {
      throw Faults.withKey(failed.fault(), write.key());
    }
    return ((Result.Judged<T>) result).outcome();
  }

  @Override
  public List<Result<T>> writeAll(List<Write<T>> writes) {
    Batch<T> batch = new Batch<>(writes, tracking);
    List<Batch.Group<T>> groups = batch.next();
    while (!groups.isEmpty()) {
      groups.forEach(group -> batch.end(group, run(group.writes())));
      groups = batch.next();
    }
    return batch.results();
  }

  /** Makes writes of one entity. */
  private List<Result<T>> run(List<Write<T>> writes) {
    EntityKey key = writes.get(0).key();
    Run<T> run = new Run<>(writes, tracking, names, clock, this::checked, recall, PATIENCE);
    Step<T> step = run.next();
    while (!(step instanceof Step.Done)) {
      if (step instanceof Step.Send<T> send) {
        run.on(send(send.request()), false, Duration.ZERO);
      } else if (step instanceof Step.Read) {
        run.found(records.read(key));
      } else if (step instanceof Step.Pause<T> pause) {
        LockSupport.parkNanos(pause.time().toNanos());
      }
      step = run.next();
    }
    run.remember(null);
    return run.results();
  }

  private Reply<T> send(Request<T> request) {
    AtomicReference<@Nullable Reply<T>> reply = new AtomicReference<>();
    ReferenceWire.Fate fate = wire.carry(() -> reply.set(written(request)));
    Reply<T> answer = reply.get();
    if (fate == ReferenceWire.Fate.BUSY) {
      return new Reply.Busy<>(TURNED_AWAY, null);
    }
    return fate == ReferenceWire.Fate.LOST || answer == null
        ? new Reply.Lost<>(true, null)
        : answer;
  }

  private Reply<T> written(Request<T> request) {
    try {
      return records.write(request);
    } catch (TidemarkException e) { // of a record that cannot be read
      return new Reply.Fault<>(Faults.withKey(e, request.marking().key()), true);
    }
  }

  /** The write itself; refused where the entity's class would. */
  private Write<T> checked(Write<T> write) {
    if (write.action() instanceof Write.Action.Update<T> update) {
      Change change = update.update().in(Change.class);
      for (Path path : change.condition().map(Evaluator::paths).orElse(List.of())) {
        if (names.owns(path.segments().get(0))) {
          throw new IllegalArgumentException("tracking owns attribute '" + path + "'");
        }
      }
      for (Operation operation : change.operations()) {
        if (names.owns(operation.path().segments().get(0))) {
          throw new IllegalArgumentException("tracking owns attribute '" + operation.path() + "'");
        }
        mapper.check(operation);
      }
    }
    return write;
  }

  @Override
  public Optional<T> find(EntityKey key) {
    return Optional.ofNullable(entity(records.read(Text.given("key to find", key))));
  }

  private @Nullable T entity(ReferenceStored<T> stored) {
    try {
      stored.found().state(names, clock.instant()); // which an expiry of another kind has none of
    } catch (TidemarkException e) {
      throw Faults.withKey(e, stored.key());
    }
    return stored.entity();
  }

  @Override
  public Freshness<T> find(EntityKey key, NotBefore notBefore) {
    Duration longest = Text.given("notBefore", notBefore).timeout();
    long end = System.nanoTime() + longest.toNanos();
    for (long pause = 100_000; ; pause *= 2) {
      Freshness<T> seen = look(Text.given("key to find", key), notBefore.message());
      if (seen instanceof Freshness.Fresh || System.nanoTime() - end >= 0) {
        return seen;
      }
      LockSupport.parkNanos(Math.min(pause, end - System.nanoTime()));
    }
  }

  private Freshness<T> look(EntityKey key, Message message) {
    Verdict verdict = new Verdict(message, tracking, names, clock.instant());
    ReferenceStored<T> stored = records.read(key);
    try {
      Optional<Outcome<T>> judged = verdict.ofMarks(stored.found());
      boolean seen = judged.isPresent() && !(judged.get() instanceof Outcome.Gap);
      @Nullable Mark mark = verdict.mark(stored.found());
      return seen ? new Freshness.Fresh<>(entity(stored)) : new Freshness.NotYet<>(mark);
    } catch (TidemarkException e) {
      throw Faults.withKey(e, key);
    }
  }
}
