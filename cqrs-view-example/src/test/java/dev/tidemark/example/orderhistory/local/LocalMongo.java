package dev.tidemark.example.orderhistory.local;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * A MongoDB for one demonstration: a {@code mongod} named by {@code MONGOD}, on the {@code PATH} or
 * fetched before by {@code dev/mongod}, as a replica set of one; else an embedded server.
 */
public final class LocalMongo implements AutoCloseable {
  private final String uri;
  private final String origin;
  private final Runnable stop;
  private final Runnable start;

  private LocalMongo(String uri, String origin, Runnable stop, Runnable start) {
    this.uri = uri;
    this.origin = origin;
    this.stop = stop;
    this.start = start;
  }

  /** Starts one, with its data in an empty folder. */
  public static LocalMongo start(Path folder) {
    return start(folder, List.of());
  }

  /**
   * The same.
   *
   * @param options of the program, which an embedded server has no use for
   */
  public static LocalMongo start(Path folder, List<String> options) {
    return program()
        .map(program -> process(program, folder, options))
        .orElseGet(LocalMongo::embedded);
  }

  private static LocalMongo embedded() {
    MongoServer server = new MongoServer(new MemoryBackend());
    return new LocalMongo(
        server.bindAndGetConnectionString(),
        "embedded (dev/mongod fetches a real one)",
        server::shutdownNow,
        () -> {
          throw new IllegalStateException("an embedded MongoDB has forgotten everything");
        });
  }

  private static LocalMongo process(Path server, Path folder, List<String> options) {
    int port = FreePort.find();
    AtomicReference<Process> process = new AtomicReference<>(launch(server, folder, port, options));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process.get())));
    String address = "127.0.0.1:" + port;
    try (MongoClient client =
        MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
      Document member = new Document("_id", 0).append("host", address);
      Document set = new Document("_id", "demo").append("members", List.of(member));
      var unused = client.getDatabase("admin").runCommand(new Document("replSetInitiate", set));
      awaitPrimary(client);
    } catch (RuntimeException e) {
      stop(process.get());
      throw new IllegalStateException(
          "mongod did not start; its log is in " + folder.resolve("log"), e);
    }
    return new LocalMongo(
        "mongodb://" + address + "/?replicaSet=demo",
        "a replica set of one " + server,
        () -> stop(process.get()),
        () -> {
          process.set(launch(server, folder, port, options));
          try (MongoClient client =
              MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
            awaitPrimary(client);
          }
        });
  }

  /** A replica set of one elects itself, which takes a moment. */
  private static void awaitPrimary(MongoClient client) {
    Await.until(
        "the server takes writes",
        () ->
            client
                .getDatabase("admin")
                .runCommand(new Document("hello", 1))
                .getBoolean("isWritablePrimary"));
  }

  private static Process launch(Path server, Path folder, int port, List<String> options) {
    try {
      List<String> command =
          new ArrayList<>(
              List.of(
                  server.toString(),
                  "--dbpath=" + folder,
                  "--logpath=" + folder.resolve("log"),
                  "--bind_ip=127.0.0.1",
                  "--port=" + port,
                  "--replSet=demo",
                  "--setParameter=enableTestCommands=1", // so that tests can let commands fail
                  "--wiredTigerCacheSizeGB=0.5"));
      command.addAll(options);
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(folder.resolve("out").toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** The mongod of this machine; empty where there is none, or an embedded server is asked for. */
  public static Optional<Path> program() {
    if (System.getProperty("tidemark.mongodb", "").equals("embedded")) {
      return Optional.empty();
    }
    String named = System.getenv().getOrDefault("MONGOD", "");
    if (!named.isEmpty()) {
      return Optional.of(Path.of(named));
    }
    return Stream.concat(onPath(), fetched()).filter(Files::isExecutable).findFirst();
  }

  private static Stream<Path> onPath() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator)).map(folder -> Path.of(folder, "mongod"));
  }

  /** Where dev/mongod keeps what it fetched. */
  private static Stream<Path> fetched() {
    Path home = Path.of(System.getProperty("user.home"), ".cache");
    String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    Path folder = (cache.isEmpty() ? home : Path.of(cache)).resolve("tidemark");
    if (!Files.isDirectory(folder)) {
      return Stream.empty();
    }
    try (Stream<Path> versions = Files.list(folder)) {
      return versions.sorted().map(version -> version.resolve("mongod")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String uri() {
    return uri;
  }

  public String origin() {
    return origin;
  }

  /** Whether it is a server in this process: without sessions and change streams. */
  public boolean isEmbedded() {
    return origin.startsWith("embedded");
  }

  /** Stops the server; what it stored stays. */
  public void stop() {
    stop.run();
  }

  /** Starts it again, at the same port, with what it had stored. */
  public void restart() {
    start.run();
  }

  @Override
  public void close() {
    stop();
  }
}
