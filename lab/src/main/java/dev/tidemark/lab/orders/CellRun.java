package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.local.TcpProxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * One carrier that brings events to one store while one thing goes wrong, and the comparison with
 * the truth. One thread runs it.
 */
final class CellRun implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_AGAIN_MILLIS = 50;

  private final Cell cell;
  private final Options options;
  private final Clock clock;
  private final Mail mail;
  private final Place place;
  private final Broker broker;
  private final Feed feed;
  private final TcpProxy proxy;
  private final Tally tally = new Tally();
  private final Truth truth;
  private final Crew crew;

  /**
   * Prepares views, feed and mail.
   *
   * @param tracked whether the views remember events; without, the run has to fail
   */
  CellRun(
      Cell cell,
      Options options,
      StoreServer store,
      Broker broker,
      Path logs,
      boolean tracked,
      Clock clock) {
    this.cell = cell;
    this.options = options;
    this.clock = clock;
    this.broker = broker;
    mail = Mail.of(cell, options, clock);
    place = store.place(cell.name());
    feed = broker.feed(cell.carrier(), cell.name(), FaultScript.patience(cell.fault()));
    proxy = new TcpProxy("127.0.0.1", place.port());
    Brief brief =
        new Brief(feed.settings())
            .and(place.through(proxy.port()).settings())
            .and(Map.of("carrier", cell.carrier()))
            .and(tracked ? Map.of() : Map.of("untracked", "yes"));
    truth = new Truth(mail.events());
    crew = new Crew(brief, feed, tally, logs, new Hindrance(cell, options, proxy));
  }

  /** Runs it, and tells what came of it. */
  CellResult run() throws InterruptedException {
    Instant start = clock.instant();
    List<String> problems = new ArrayList<>();
    String note = "";
    try {
      note = new FaultScript(this).run();
      awaitDone();
      crew.stop();
    } catch (RuntimeException | AssertionError e) {
      problems.add(e.getMessage() + (e.getCause() == null ? "" : ", by " + e.getCause()));
    }
    List<String> letters = feed.deadLetters();
    Set<String> dead = new HashSet<>(letters);
    compare(dead, letters.size(), problems);
    return new CellResult(
        cell,
        tally,
        dead.size(),
        truth.wrong(place.rows()),
        problems,
        note,
        Duration.between(start, clock.instant()));
  }

  private void compare(Set<String> dead, int letters, List<String> problems) {
    Set<String> lost = new HashSet<>(mail.poison());
    lost.removeAll(dead);
    Set<String> healthy = new HashSet<>(dead);
    healthy.removeAll(mail.poison());
    if (!lost.isEmpty()) {
      problems.add(lost.size() + " poison records are not among the dead letters");
    }
    if (!healthy.isEmpty()) {
      problems.add(healthy.size() + " dead letters are no poison");
    }
    if (cell.fault() == Fault.POISON && letters != dead.size()) {
      problems.add(letters - dead.size() + " dead letters are there twice");
    }
  }

  /** Waits until so many deliveries were handled, by all consumers together. */
  void awaitDeliveries(long count) throws InterruptedException {
    await(count + " deliveries", () -> tally.deliveries() >= count);
  }

  /** Waits until everything that was sent is acknowledged. */
  void awaitDone() throws InterruptedException {
    awaitAcknowledged();
    if (!feed.isAcknowledged()) {
      await("everything in the views", this::isShown);
    }
  }

  /** Waits until consumers have acknowledged everything; where they do not, for nothing. */
  void awaitAcknowledged() throws InterruptedException {
    await("everything acknowledged", () -> feed.left() == 0);
  }

  private boolean isShown() {
    return feed.deadLetters().containsAll(mail.poison()) && truth.wrong(place.rows()).isEmpty();
  }

  /** Gives up once nothing has moved for long. */
  private void await(String what, BooleanSupplier condition) throws InterruptedException {
    long moved = tally.deliveries();
    Instant end = clock.instant().plus(PATIENCE).plus(options.outage());
    while (!condition.getAsBoolean()) {
      crew.check();
      if (tally.deliveries() != moved) {
        moved = tally.deliveries();
        end = clock.instant().plus(PATIENCE);
      } else if (clock.instant().isAfter(end)) {
        throw new IllegalStateException(
            "nothing moves any more after " + moved + " deliveries, waiting for " + what);
      }
      Thread.sleep(LOOK_AGAIN_MILLIS);
    }
  }

  Cell cell() {
    return cell;
  }

  Options options() {
    return options;
  }

  Mail mail() {
    return mail;
  }

  Broker broker() {
    return broker;
  }

  Place place() {
    return place;
  }

  Feed feed() {
    return feed;
  }

  TcpProxy proxy() {
    return proxy;
  }

  Tally tally() {
    return tally;
  }

  Crew crew() {
    return crew;
  }

  @Override
  public void close() {
    proxy.restore();
    try {
      crew.close();
    } catch (RuntimeException e) {
      // It failed before, and run() has told so.
    } finally {
      proxy.close();
      feed.close();
    }
  }
}
