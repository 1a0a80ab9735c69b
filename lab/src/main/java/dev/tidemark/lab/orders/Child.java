package dev.tidemark.lab.orders;

import static java.util.stream.Collectors.toMap;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A {@link ConsumerProcess} and the talk with it, line by line. It is started with everything open,
 * and consumes once it is told to; so one can stand by while another works.
 */
final class Child implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Pattern COUNT = Pattern.compile("(\\w+)=(\\d+)");

  private final Process process;
  private final Path log;
  private final BufferedWriter in;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private final Consumer<Map<String, Long>> counts;

  /** Starts one; what it logs is in that file. */
  Child(Brief brief, Path log, Consumer<Map<String, Long>> counts) {
    this.log = log;
    this.counts = counts;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m"));
    command.add(ConsumerProcess.class.getName());
    command.addAll(brief.args());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    in = process.outputWriter();
    Thread reader = new Thread(this::read, "child-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(ConsumerProcess.COUNTS)) {
          counts.accept(parsed(line));
        } else {
          said.add(line);
        }
      }
    } catch (IOException e) {
      // It was killed: that is how such a stream ends.
    } finally {
      said.add(ConsumerProcess.GONE);
    }
  }

  private static Map<String, Long> parsed(String line) {
    return COUNT
        .matcher(line)
        .results()
        .collect(toMap(found -> found.group(1), found -> Long.parseLong(found.group(2))));
  }

  /** Waits until everything is open. */
  Child ready() {
    expect(ConsumerProcess.READY);
    return this;
  }

  /** Lets it consume. */
  void go() {
    tell(ConsumerProcess.GO);
  }

  /** Waits until it stands between its writes and its acknowledgement. */
  void awaitParked() {
    expect(ConsumerProcess.PARKED);
  }

  /** Ends it by SIGKILL. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Ends it by SIGTERM, and waits until it has finished what it had in hand. */
  void terminate() {
    process.toHandle().destroy(); // which, unlike that of the process, leaves its streams open
    expect(ConsumerProcess.ENDED);
    awaitExit();
  }

  /** Hands it a line of work; tells its answer, or that it is parked. */
  String ask(String work) {
    tell(work);
    return next();
  }

  private void tell(String line) {
    try {
      in.write(line);
      in.newLine();
      in.flush();
    } catch (IOException e) {
      throw new IllegalStateException("a consumer's process has ended; " + logged(), e);
    }
  }

  private void expect(String line) {
    String next = next();
    if (!next.equals(line)) {
      throw new IllegalStateException(
          "a consumer's process said '" + next + "' and not '" + line + "'; " + logged());
    }
  }

  private String logged() {
    try (Stream<String> lines = Files.lines(log)) {
      return "the first that it logged: " + lines.limit(3).toList();
    } catch (IOException e) {
      return "it has no log";
    }
  }

  private String next() {
    try {
      String next = said.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return next == null ? "nothing for " + PATIENCE.toSeconds() + " s" : next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void awaitExit() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("process " + process.pid() + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
