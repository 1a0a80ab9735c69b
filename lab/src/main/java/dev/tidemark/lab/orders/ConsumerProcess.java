package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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
    CrashPoint crash = brief.has("dies") ? new CrashPoint(brief, () -> say(PARKED)) : null;
    OpenViews views =
        Place.of(brief).open(!brief.has("untracked"), counts -> counted(counts, crash));
    UnaryOperator<Function<List<Delivery>, BatchOutcome<?>>> around =
        crash == null ? UnaryOperator.identity() : crash;
    if (brief.get("carrier").equals("lambda")) {
      LambdaContainer container =
          new LambdaContainer(brief, around.apply(new Views(views.store())));
      say(READY);
      serve(container);
    } else {
      Carrying carrying = Carriers.open(brief, views, around);
      say(READY);
      consume(carrying);
    }
    Runtime.getRuntime().halt(0); // the parent is gone, or has no more work
  }

  /** Called on the thread that has just written to the first view. */
  private void counted(Map<String, Long> counts, @Nullable CrashPoint crash) {
    say(COUNTS + counts);
    if (crash != null && !counts.isEmpty()) {
      crash.firstViewWritten();
    }
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
    Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(carrying)));
    carrying.start();
    var unused = in.readLine(); // nothing more is to be told: this waits for the parent's end
  }

  private void finish(Carrying carrying) {
    carrying.close();
    say(ENDED);
  }
}
