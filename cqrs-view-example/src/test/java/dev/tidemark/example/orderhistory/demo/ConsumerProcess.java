package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.BatchOutcome;
import dev.tidemark.Delivery;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A consumer in a process of its own, so that it can be killed. It opens everything, says so, and
 * consumes when it is told to; it says what became of its deliveries, where it stops on purpose,
 * and that SIGTERM let it finish. A container of the Lambda function takes events on standard input
 * and answers on standard output. It ends when its parent does.
 */
public final class ConsumerProcess {
  static final String READY = "ready";
  static final String GO = "go";
  static final String COUNTS = "counts ";
  static final String ANSWER = "answer ";
  static final String PARKED = "parked";
  static final String ENDED = "ended";
  static final String GONE = "gone";

  private final Brief brief;
  private final PrintStream out;
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private ConsumerProcess(Brief brief, PrintStream out) {
    this.brief = brief;
    this.out = out;
  }

  /**
   * Consumes until it is ended from outside.
   *
   * @param args a {@link Brief}
   */
  public static void main(String... args) {
    PrintStream out = System.out;
    System.setOut(System.err); // what libraries print is not part of the talk
    try {
      new ConsumerProcess(Brief.of(args), out).run();
    } catch (Exception e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private void run() throws IOException, InterruptedException {
    OpenViews views = Place.of(brief).open(!brief.has("untracked"), counts -> say(COUNTS + counts));
    var handler = handler(views.store());
    if (brief.get("carrier").equals("lambda")) {
      LambdaContainer container = new LambdaContainer(brief, handler);
      say(READY);
      serve(container);
    } else {
      Carrying carrying = Carriers.open(brief, handler);
      say(READY);
      consume(carrying);
    }
    Runtime.getRuntime().halt(0); // the parent is gone, or has no more work
  }

  private Function<List<Delivery>, BatchOutcome<?>> handler(ViewStore store) {
    return brief.has("dies") ? new CrashPoint(brief, store, () -> say(PARKED)) : new Views(store);
  }

  private synchronized void say(String line) {
    out.println(line);
    out.flush();
  }

  private void serve(LambdaContainer container) throws IOException {
    for (String event = in.readLine(); event != null; event = in.readLine()) {
      try {
        say(ANSWER + container.apply(event));
      } catch (RuntimeException e) {
        say("failed: " + e.getClass().getSimpleName());
      }
    }
  }

  private void consume(Carrying carrying) throws IOException, InterruptedException {
    if (!GO.equals(in.readLine())) {
      return;
    }
    Thread consumer = new Thread(carrying.run(), "consumer");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(carrying, consumer)));
    consumer.setUncaughtExceptionHandler((thread, fault) -> failed(fault));
    consumer.start();
    var unused = in.readLine(); // nothing more is to be told: this waits for the parent's end
  }

  private static void failed(Throwable fault) {
    fault.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  private void finish(Carrying carrying, Thread consumer) {
    carrying.stop().run();
    try {
      consumer.join(TimeUnit.SECONDS.toMillis(60));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!consumer.isAlive()) {
      say(ENDED);
    }
  }
}
