package dev.tidemark.lab.outbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that relays, which is started, stopped and killed. One thread does that. */
final class RelayProcess implements AutoCloseable {
  private static final long LONG_MILLIS = 20_000;

  private final Process process;
  private final Path log;

  RelayProcess(Place place, Broker broker, Case what, Path log) {
    this.log = log;
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xmx256m",
                    "-Ddemo.log=error",
                    RelayMain.class.getName(),
                    place.store(),
                    place.endpoint(),
                    broker.url(),
                    what.name()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  /** Ends it by SIGKILL. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Ends it by SIGTERM, upon which it hands over what it has. */
  void stop() {
    process.destroy();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(LONG_MILLIS, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("a relay does not end; its log is " + log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Requires that it has not ended by itself. */
  void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException("a relay has ended by itself; its log is " + log);
    }
  }

  /** How many shards relays have taken over from others that went silent, as their logs say. */
  static int takenOver(List<Path> logs) {
    int sum = 0;
    for (Path log : logs) {
      try {
        for (String line : Files.readAllLines(log)) {
          int at = line.indexOf(" taken over");
          if (at > 0) {
            sum += Integer.parseInt(line.substring(line.lastIndexOf(' ', at - 1) + 1, at));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sum;
  }

  /** Whether some relay's log has a line. */
  static boolean tells(List<Path> logs, String line) {
    try {
      for (Path log : logs) {
        if (Files.readAllLines(log).contains(line)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
