package dev.tidemark.benchmarks.server;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** DynamoDB Local in a JVM of its own, in memory, spoken to by HTTP. */
public final class DynamoDbServer implements AutoCloseable {
  private final ServerProcess process;
  private final int port;

  private DynamoDbServer(ServerProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one on a free port.
   *
   * @return the running server
   */
  public static DynamoDbServer start() {
    int port = ServerProcess.freePort();
    Path natives = Path.of(System.getProperty("sqlite4java.library.path", "")).toAbsolutePath();
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms512m",
            "-Xmx1g",
            "-XX:+UseParallelGC",
            "-Dsqlite4java.library.path=" + natives,
            "-cp",
            absolute(System.getProperty("java.class.path")),
            ServerRunner.class.getName(),
            "-inMemory",
            "-port",
            String.valueOf(port));
    return new DynamoDbServer(
        ServerProcess.start(ServerProcess.folder("dynamodb"), port, command), port);
  }

  private static String absolute(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Where it listens.
   *
   * @return an address of this machine
   */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /**
   * The processor time that it took so far.
   *
   * @return nanoseconds
   */
  public long cpuNanos() {
    return process.cpuNanos();
  }

  @Override
  public void close() {
    process.close();
  }
}
