package dev.tidemark.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A store in a process of its own, which ends with this one. */
final class ServerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Process process;
  private final Path folder;

  private ServerProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  static ServerProcess start(Path folder, int port, List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("out").toFile())
              .start();
      ServerProcess server = new ServerProcess(process, folder);
      server.awaitPort(port);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitPort(int port) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!listens(port)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        String said = Files.readString(folder.resolve("out"));
        close();
        throw new IllegalStateException("the server does not start: " + said);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path folder(String name) {
    try {
      return Files.createTempDirectory("tidemark-" + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long cpuNanos() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    delete(folder);
  }

  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
