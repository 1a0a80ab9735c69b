package dev.tidemark.example.orderhistory.local;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.servers.MongoProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.Document;

/**
 * A MongoDB for one demonstration, or for the tests: the program that {@link MongoProgram} finds,
 * as a replica set of one.
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
   * @param options of the program
   */
  public static LocalMongo start(Path folder, List<String> options) {
    String server = MongoProgram.find();
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

  private static Process launch(String server, Path folder, int port, List<String> options) {
    try {
      List<String> command =
          new ArrayList<>(
              List.of(
                  server,
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

  public String uri() {
    return uri;
  }

  public String origin() {
    return origin;
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
