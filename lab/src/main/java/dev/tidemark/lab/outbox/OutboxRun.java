package dev.tidemark.lab.outbox;

import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.ParkedMessages;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One case on one store: messages are published while things go wrong; then there is quiet, in
 * which all of them have to leave; then what arrived is compared with what was published. One
 * thread runs it.
 */
final class OutboxRun implements AutoCloseable {
  private static final Duration QUIET = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Place place;
  private final Case what;
  private final Settings settings;
  private final Path folder;
  private final PrintStream out;
  private final Broker broker = new Broker();
  private final Connection connection;
  private final Producer producer;
  private final Random random;
  private final List<RelayProcess> relays = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();
  private int kills;

  /**
   * Prepares a run on an empty place.
   *
   * @param folder empty, for the logs of relays
   */
  OutboxRun(Place place, Case what, Settings settings, Path folder, PrintStream out) {
    this.place = place;
    this.what = what;
    this.settings = settings;
    this.folder = folder;
    this.out = out;
    this.connection = place.connect();
    this.producer = new Producer(connection.orders(), settings, what == Case.POISON);
    this.random = new Random(settings.seed());
  }

  /** Runs it, and tells what came of it. */
  OutboxResult run() {
    long start = System.nanoTime();
    for (int i = 0; i < what.relays(); i++) {
      relays.add(launch());
    }
    switch (what) {
      case KILLS, TWO_RELAYS, FOUR_RELAYS, STOPS, STREAM_LOST -> replaceRelays();
      case HISTORY_LOST, INVALIDATED, SHARD_SPLIT, ITERATOR_EXPIRED -> troubleStream();
      case BROKER_DOWN -> breakBroker();
      case POISON -> producer.publish(settings.messages());
    }
    int parked = 0;
    if (what == Case.POISON) {
      awaitQuiet(false);
      broker.heal();
      parked = release();
    }
    int pending = awaitQuiet(true);
    relays.forEach(RelayProcess::requireAlive);
    relays.forEach(RelayProcess::stop);
    Audit audit = new Audit(producer.published(), broker.arrivals());
    List<String> wrong = new ArrayList<>(audit.wrong());
    if (what == Case.POISON && parked != poisoned()) {
      wrong.add(parked + " messages were parked, not " + poisoned());
    }
    wrong.addAll(audit.consumed(connection.views()));
    what.told()
        .filter(line -> !RelayProcess.tells(logs, line))
        .ifPresent(line -> wrong.add("no relay met what the case is about: " + line));
    wrong.stream().limit(5).forEach(one -> out.println("  wrong: " + one));
    return new OutboxResult(
        place.store(),
        what,
        producer.published().size(),
        broker.count(),
        audit.distinct(),
        audit.lost(),
        pending,
        wrong,
        kills,
        RelayProcess.takenOver(logs),
        Duration.ofNanos(System.nanoTime() - start));
  }

  private RelayProcess launch() {
    Path log = folder.resolve("relay-" + logs.size() + ".log");
    logs.add(log);
    return new RelayProcess(place, broker, what, log);
  }

  private int poisoned() {
    return (int) producer.published().stream().filter(Payload::poison).count();
  }

  /** Ends one relay after the other, mostly while it sends, and starts another in its place. */
  private void replaceRelays() {
    int part = Math.max(1, settings.messages() / (settings.kills() + 1));
    for (int i = 0; i < settings.kills(); i++) {
      int before = broker.count();
      producer.publish(part);
      awaitArrival(before + random.nextInt(part));
      int which = i % relays.size();
      if (what == Case.STOPS) {
        relays.get(which).stop();
      } else {
        relays.get(which).kill();
      }
      kills++;
      if (what.hears()) {
        place.breakStream(what);
      }
      relays.set(which, launch());
    }
    producer.publish(Math.max(1, settings.messages() - settings.kills() * part));
  }

  /** Publishes in parts, and makes trouble for the relay's stream behind each. */
  private void troubleStream() {
    int part = Math.max(1, settings.messages() / (settings.kills() + 1));
    for (int i = 0; i < settings.kills(); i++) {
      int before = broker.count();
      producer.publish(part);
      awaitArrival(before + random.nextInt(part));
      if (what == Case.HISTORY_LOST) {
        await(place::hasKeptPlace);
        relays.get(0).kill();
        kills++;
        producer.publish(1);
      }
      place.breakStream(what);
      if (what == Case.HISTORY_LOST) {
        relays.set(0, launch());
      }
    }
    producer.publish(Math.max(1, settings.messages() - settings.kills() * part));
    String told = what.told().orElseThrow();
    await(
        () -> {
          producer.publish(1); // so that the stream has something to tell
          return RelayProcess.tells(logs, told);
        });
  }

  private static void await(BooleanSupplier done) {
    long end = System.nanoTime() + QUIET.toNanos();
    while (!done.getAsBoolean() && System.nanoTime() < end) {
      pause(PAUSE);
    }
  }

  private void breakBroker() {
    int third = settings.messages() / 3;
    producer.publish(third);
    broker.down(true);
    producer.publish(third);
    pause(Duration.ofSeconds(settings.downSeconds()));
    broker.down(false);
    producer.publish(settings.messages() - 2 * third);
  }

  /** Waits until so many messages came, or until nothing more comes for a while. */
  private void awaitArrival(int count) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (broker.count() <= count && System.nanoTime() < end) {
      pause(Duration.ofMillis(1));
    }
    pause(Duration.ofMillis(random.nextInt(30)));
  }

  /** Waits until nothing is stored; how many messages are, where that does not come. */
  private int awaitQuiet(boolean parkedToo) {
    long end = System.nanoTime() + QUIET.toNanos();
    int left = left(parkedToo);
    while (left > 0 && System.nanoTime() < end) {
      pause(PAUSE);
      left = left(parkedToo);
    }
    return left;
  }

  private int left(boolean parkedToo) {
    OutboxRecords outbox = connection.outbox();
    int left = 0;
    for (int shard = 0; shard < outbox.shards(); shard++) {
      for (OutboxRecord record : outbox.due(shard, Long.MAX_VALUE, 100)) {
        left += record.waiting().size();
      }
      for (OutboxRecord record : parkedToo ? outbox.parked(shard, 100) : List.<OutboxRecord>of()) {
        left += record.parked().size();
      }
    }
    return left;
  }

  /** Lets go what is parked, as an operator does; how many messages that were. */
  private int release() {
    OutboxRecords outbox = connection.outbox();
    ParkedMessages parked = ParkedMessages.of(outbox);
    int released = 0;
    for (int shard = 0; shard < outbox.shards(); shard++) {
      for (OutboxRecord record : parked.list(shard, 1_000)) {
        Set<String> ids = new HashSet<>();
        record.parked().stream().map(OutboxMessage::id).forEach(ids::add);
        released += parked.release(record.key(), ids);
      }
    }
    return released;
  }

  private static void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }

  @Override
  public void close() {
    relays.forEach(RelayProcess::close);
    connection.close();
    broker.close();
  }
}
