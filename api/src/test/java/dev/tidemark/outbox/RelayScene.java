package dev.tidemark.outbox;

import dev.tidemark.Logged;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.TooLargeException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Records, a broker and time, all of which do what a test says. A record's key begins its IDs. */
final class RelayScene implements AutoCloseable {
  /** What the relay has logged. */
  final Logged log = Logged.of(Relay.class);

  final Records records = new Records();
  final Broker broker = new Broker();

  /** Elapsed time, in nanoseconds; the clock shows the same. */
  final AtomicLong nanos = new AtomicLong(1_000_000_000L);

  final List<RelayPass> passes = new ArrayList<>();

  @Override
  public void close() {
    log.close();
  }

  RelayBuilder builder() {
    return Relay.builder(records, broker).time(nanos::get, this::move).listener(passes::add);
  }

  Relay relay() {
    return builder().build();
  }

  void move(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** Publishes ordered messages, of which those that end in a "u" are unordered. */
  void publish(String key, String... ids) {
    publishTo("t", key, ids);
  }

  void publishTo(String topic, String key, String... ids) {
    List<OutboxMessage> all = new ArrayList<>();
    OutboxRecord found = records.rows.get(key);
    if (found != null) {
      all.addAll(found.waiting());
    }
    for (String payload : ids) {
      String id = id(payload);
      OutgoingMessage message = OutgoingMessage.to(topic, payload).id(id);
      all.add(
          new OutboxMessage(
              id, records.clock().instant(), id.endsWith("u") ? message.unordered() : message));
    }
    records.rows.put(
        key,
        found == null
            ? new OutboxRecord(key, all, List.of(), 0, records.clock().millis(), records.shard(key))
            : new OutboxRecord(
                key, all, found.parked(), found.tries(), found.due(), records.shard(key)));
  }

  /** The ID of a message by its payload, of which it has as much as an ID may have. */
  static String id(String payload) {
    return payload.substring(0, Math.min(512, payload.length()));
  }

  /** How often the first message of a record could not be sent. */
  int tries(String key) {
    return Tries.of(Objects.requireNonNull(records.rows.get(key)).tries()).all();
  }

  List<String> waiting(String key) {
    OutboxRecord found = records.rows.get(key);
    return found == null ? List.of() : ids(found.waiting());
  }

  List<String> parked(String key) {
    OutboxRecord found = records.rows.get(key);
    return found == null ? List.of() : ids(found.parked());
  }

  static List<String> ids(List<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::id).toList();
  }

  /** Takes what it is sent, but for what it refuses. */
  static final class Broker implements Sender {
    /** What was taken, in order. */
    final List<String> taken = new ArrayList<>();

    /** The IDs of each call. */
    final List<List<String>> calls = new ArrayList<>();

    final Set<String> refuses = new TreeSet<>();
    boolean isDown;
    boolean interrupts;
    Runnable before = () -> {};
    Runnable after = () -> {};

    @Override
    public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
      before.run();
      if (interrupts) {
        throw new InterruptedException();
      }
      calls.add(ids(messages));
      List<Sent> answers = new ArrayList<>();
      for (String id : ids(messages)) {
        boolean fails = isDown || refuses.contains(id);
        answers.add(fails ? Sent.failed(new IllegalStateException("refused")) : Sent.taken());
        if (!fails) {
          taken.add(id);
        }
      }
      after.run();
      return answers;
    }
  }

  /** Records in a map, of which each is in the shard that its key's length tells. */
  final class Records implements OutboxRecords {
    final Map<Object, OutboxRecord> rows = new LinkedHashMap<>();

    /** How many records each call of write changed. */
    final List<Integer> writes = new ArrayList<>();

    int looks;
    int reads;

    /** Keys with nothing else, each by itself. */
    private final Set<Object> bare = Collections.newSetFromMap(new IdentityHashMap<>());

    /** How many records were read by such a key. */
    int bareReads;

    /** Runs behind each look. */
    Runnable afterLook = () -> {};

    /** How long each look takes. */
    Duration lookTakes = Duration.ZERO;

    /** How much was read, as the records' size has it. */
    long bytes;

    /** Whether an interrupted thread gets unsure answers to its writes in place of an exception. */
    boolean isUnsure;

    /** Runs before a write, and may be null afterwards. */
    Runnable beforeWrite = () -> {};

    /** What the next looks, writes and reads throw. */
    @Nullable RuntimeException error;

    /** What the next looks, writes and reads throw, too. */
    @Nullable Error fatal;

    /** How many looks to come are full of what cannot be read. */
    int full;

    /** Of how many changes to come the reply is lost. */
    int lost;

    /** How many changes to come are turned away. */
    int busy;

    /**
     * How much a record may keep: 10 for each message, 1 for a list of parked ones and for tries.
     */
    int room = Integer.MAX_VALUE;

    @Override
    public String name() {
      return "rows";
    }

    @Override
    public int shards() {
      return 4;
    }

    @Override
    public Look look(int shard, long from, long until, int most, long size) {
      looks++;
      move(lookTakes);
      throwError();
      if (full > 0) {
        full--;
        return new Look(List.of(), 1, 0, true, null);
      }
      List<OutboxRecord> found =
          rows.values().stream()
              .filter(row -> shard(row.key()) == shard && !row.waiting().isEmpty())
              .filter(row -> from <= row.due() && row.due() <= until)
              .sorted(Comparator.comparingLong(OutboxRecord::due))
              .limit(most)
              .toList();
      int fits = 0;
      for (long taken = 0; fits < found.size() && taken < size; fits++) {
        taken += found.get(fits).size();
      }
      found.subList(0, fits).forEach(one -> bytes += one.size());
      afterLook.run();
      return new Look(found.subList(0, fits), 0, 0, fits < found.size(), null);
    }

    private void throwError() {
      if (error != null) {
        throw error;
      }
      if (fatal != null) {
        throw fatal;
      }
      if (Thread.currentThread().isInterrupted()) { // as drivers do
        throw new IllegalStateException("the thread is interrupted");
      }
    }

    int shard(Object key) {
      return ((String) key).length() % 4;
    }

    @Override
    public List<OutboxRecord> parked(int shard, int most) {
      return rows.values().stream()
          .filter(row -> shard(row.key()) == shard && row.waiting().isEmpty())
          .limit(most)
          .toList();
    }

    /** An equal text. */
    @Override
    public Object bare(Object key) {
      Object kept = String.valueOf(((String) key).toCharArray());
      bare.add(kept);
      return kept;
    }

    @Override
    public Optional<OutboxRecord> read(Object key) {
      reads++;
      bareReads += bare.contains(key) ? 1 : 0;
      throwError();
      Optional<OutboxRecord> found = Optional.ofNullable(rows.get(key));
      found.ifPresent(one -> bytes += one.size());
      return found;
    }

    @Override
    public List<Answer> write(List<OutboxChange> changes) {
      beforeWrite.run();
      if (isUnsure && Thread.currentThread().isInterrupted()) {
        RuntimeException error = new IllegalStateException("the thread is interrupted");
        return changes.stream().<Answer>map(change -> new Answer.Unsure(error)).toList();
      }
      throwError();
      writes.add(changes.size());
      return changes.stream().map(this::write).toList();
    }

    private Answer write(OutboxChange change) {
      if (busy > 0) {
        busy--;
        return new Answer.Unsure(new IllegalStateException("busy"));
      }
      OutboxRecord found = rows.get(change.before().key());
      if (found == null || !isThere(change, found)) {
        return new Answer.Refused(found);
      }
      OutboxRecord after = found.after(change);
      if (size(after) > room) {
        return new Answer.Unsure(new TooLargeException("full", null, null));
      }
      rows.put(after.key(), after);
      if (after.isEmpty()) {
        rows.remove(after.key());
      }
      boolean loses = lost > 0;
      lost -= loses ? 1 : 0;
      return loses
          ? new Answer.Unsure(new IllegalStateException("lost"))
          : new Answer.Written(after.isEmpty());
    }

    private static int size(OutboxRecord record) {
      int messages = 10 * (record.waiting().size() + record.parked().size());
      return messages + (record.parked().isEmpty() ? 0 : 1) + (record.tries() == 0 ? 0 : 1);
    }

    private static boolean isThere(OutboxChange change, OutboxRecord found) {
      OutboxRecord before = change.before();
      return ids(found.waiting()).containsAll(ids(before.waiting()))
          && ids(found.parked()).equals(ids(before.parked()))
          && (found.after(change).isEmpty() || !before.after(change).isEmpty());
    }

    @Override
    public Clock clock() {
      return new Clock() {
        @Override
        public Instant instant() {
          return Instant.ofEpochSecond(1_800_000_000, nanos.get());
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };
    }
  }
}
