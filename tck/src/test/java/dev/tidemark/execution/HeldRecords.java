package dev.tidemark.execution;

import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records as one process has them: each request and each reply is held on its way, now and then for
 * longer than a lease, and may be lost, repeated, or land when nobody waits for it any more. What a
 * thread asks that was interrupted is broken off, as the clients of stores do.
 */
final class HeldRecords implements RecordStore {
  private final RecordStore stored;
  private final Timeline timeline;
  private final Random random;
  private final Trouble trouble;
  private final Duration wrong;
  private Timeline.@Nullable Actor process;

  /**
   * What may happen to requests.
   *
   * @param held of a thousand, how many are held for longer than the rest
   * @param longest how long
   * @param lost of a thousand, how many have no answer
   */
  record Trouble(int held, Duration longest, int lost) {
    static final Trouble NONE = new Trouble(0, Duration.ZERO, 0);
  }

  /**
   * Records of a process.
   *
   * @param wrong by how much its clock is
   */
  HeldRecords(
      RecordStore stored, Timeline timeline, Random random, Trouble trouble, Duration wrong) {
    this.stored = stored;
    this.timeline = timeline;
    this.random = random;
    this.trouble = trouble;
    this.wrong = wrong;
  }

  void of(Timeline.Actor owner) {
    this.process = owner;
  }

  /** Lets the process wait. */
  void sleep(long nanos) {
    Timeline.Actor waiting = process;
    if (waiting == null) {
      throw new IllegalStateException("a process waits that has not begun");
    }
    waiting.sleep(nanos);
  }

  /** A way from the process to the store, or back. */
  private long way() {
    boolean isLong = random.nextInt(1_000) < trouble.held();
    long most = isLong ? trouble.longest().toNanos() : Duration.ofMillis(50).toNanos();
    return 1 + (long) (random.nextDouble() * most);
  }

  /** Waits for a request or a reply, unless the thread is interrupted. */
  void way(String what) {
    requireGoing(what);
    sleep(way());
    requireGoing(what);
  }

  private static void requireGoing(String what) {
    if (Thread.currentThread().isInterrupted()) {
      throw new OutcomeUnknownException("an interrupt broke off " + what, null, null);
    }
  }

  private Answer<StoredRecord> carry(Supplier<Answer<StoredRecord>> request) {
    if (random.nextInt(1_000) < trouble.lost()) {
      return lost(request);
    }
    if (random.nextInt(1_000) < trouble.lost()) {
      timeline.at(way() + way(), () -> land(request)); // and once more
    }
    way("a request");
    Answer<StoredRecord> answer = request.get();
    way("a reply");
    return answer;
  }

  /** Carries out what nobody hears of. */
  private static void land(Supplier<Answer<StoredRecord>> request) {
    var unused = request.get();
  }

  private Answer<StoredRecord> lost(Supplier<Answer<StoredRecord>> request) {
    switch (random.nextInt(4)) {
      case 0 -> way("a request that does not arrive");
      case 1 -> {
        way("a request");
        land(request);
        way("a reply that does not arrive");
      }
      case 2 -> {
        timeline.at(way() + way() + way(), () -> land(request));
        way("a request that arrives some time");
      }
      default -> {
        way("a request that is turned away");
        return new Answer.Busy<>(new IllegalStateException("busy"));
      }
    }
    return new Answer.Lost<>(new IllegalStateException("no answer"));
  }

  @Override
  public Answer<StoredRecord> write(ConditionalWrite write) {
    return carry(() -> stored.write(write));
  }

  @Override
  public Optional<StoredRecord> read(String key) {
    way("a read");
    Optional<StoredRecord> found = stored.read(key);
    way("what was read");
    return found;
  }

  @Override
  public List<String> due(String partition, long from, long before, int most) {
    way("a look");
    List<String> found = stored.due(partition, from, before, most);
    way("what was found");
    return found;
  }

  @Override
  public List<String> pending(String partition, String prefix, int most) {
    return stored.pending(partition, prefix, most);
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    return stored.list(prefix, after, most);
  }

  @Override
  public Clock clock() {
    return Clock.fixed(
        Instant.EPOCH.plus(Duration.ofDays(20_000)).plusNanos(timeline.now()).plus(wrong),
        ZoneOffset.UTC);
  }

  @Override
  public int mostBytes() {
    return stored.mostBytes();
  }
}
