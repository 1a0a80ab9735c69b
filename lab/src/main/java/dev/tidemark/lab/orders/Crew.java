package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.EventSourceMapping;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The consumers of one run, in this process and in others. */
final class Crew implements AutoCloseable {
  private final Brief brief;
  private final Feed feed;
  private final Tally tally;
  private final Path logs;
  private final UnaryOperator<Function<List<Delivery>, BatchOutcome<?>>> around;
  private final List<AutoCloseable> here = new ArrayList<>();
  private final List<Child> elsewhere = new ArrayList<>();

  /**
   * Nobody yet.
   *
   * @param brief what all of them are told
   * @param around put around the views of those in this process
   */
  Crew(
      Brief brief,
      Feed feed,
      Tally tally,
      Path logs,
      UnaryOperator<Function<List<Delivery>, BatchOutcome<?>>> around) {
    this.brief = brief;
    this.feed = feed;
    this.tally = tally;
    this.logs = logs;
    this.around = around;
  }

  private boolean isLambda() {
    return brief.get("carrier").equals("lambda");
  }

  /** Lets so many consumers work in this process; of a change stream one, since it has no parts. */
  void start(int wanted, Map<String, String> more) {
    int count = feed.isAcknowledged() ? wanted : 1;
    if (isLambda()) {
      OpenViews views = open();
      LambdaContainer container =
          new LambdaContainer(brief, around.apply(new Views(views.store())));
      here.add(views);
      here.add(container);
      map(container, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      OpenViews views = open();
      here.add(views);
      Carrying carrying = Carriers.open(brief.and(more), views, around);
      here.add(carrying);
      carrying.start();
    }
  }

  private OpenViews open() {
    return Place.of(brief).open(!brief.has("untracked"), tally::add);
  }

  /** Lets an event source mapping call a function. */
  void map(UnaryOperator<String> function, int concurrency) {
    SqsFeed queue = (SqsFeed) feed;
    here.add(
        new EventSourceMapping(
            new LocalQueue(queue.client(), queue.queue()),
            function,
            new EventSourceMapping.Settings(10, Duration.ZERO, concurrency)));
  }

  /** A consumer in a process of its own, which does not consume yet. */
  Child child(Map<String, String> more) {
    Path log = logs.resolve(brief.get("name") + "-" + elsewhere.size() + ".log");
    Child child = new Child(brief.and(more), log, tally::add);
    elsewhere.add(child);
    return child;
  }

  /** Throws if a consumer in this process ended by itself. */
  void check() {
    for (AutoCloseable one : here) {
      if (one instanceof Carrying carrying) {
        carrying.check();
      }
    }
  }

  /** Lets all in this process finish what they have in hand. */
  void stop() {
    List<AutoCloseable> last = new ArrayList<>(here);
    here.clear();
    for (int i = last.size() - 1; i >= 0; i--) {
      try {
        last.get(i).close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    elsewhere.forEach(Child::close);
    stop();
  }
}
