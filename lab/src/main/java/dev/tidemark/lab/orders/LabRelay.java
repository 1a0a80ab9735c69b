package dev.tidemark.lab.orders;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The process of the lab's relay: kills it, and starts it again. For any number of threads. */
final class LabRelay implements AutoCloseable {
  private final Map<String, String> environment;
  private final File log;
  private @Nullable Process process;

  /** Has not started it. */
  LabRelay(Map<String, String> environment, File log) {
    this.environment = environment;
    this.log = log;
  }

  /** Starts it unless it runs. */
  synchronized void start() {
    if (isRunning()) {
      return;
    }
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xshare:auto",
                    "-Xmx128m",
                    RelayMain.class.getName()))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .redirectError(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().putAll(environment);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it by SIGKILL, and returns once it is dead. */
  synchronized void kill() {
    Process running = process;
    if (running != null) {
      var unused = running.destroyForcibly().onExit().join();
    }
  }

  synchronized boolean isRunning() {
    return process != null && process.isAlive();
  }

  @Override
  public void close() {
    kill();
  }
}
