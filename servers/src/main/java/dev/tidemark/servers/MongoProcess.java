package dev.tidemark.servers;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Servers of the program that {@link MongoProgram} finds, on free ports and temporary folders,
 * which go with this JVM. For one thread.
 */
public final class MongoProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<Process> servers = new ArrayList<>();
  private final List<Path> folders = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  private MongoProcess() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /**
   * Starts them.
   *
   * @param nodes of a replica set; none for one server on its own
   * @param options of each, beside those that this class gives
   * @return a set that has a primary
   * @throws IllegalStateException if no program is found
   */
  public static MongoProcess start(int nodes, String... options) {
    String mongod = MongoProgram.find();
    MongoProcess set = new MongoProcess();
    for (int node = 0; node < Math.max(1, nodes); node++) {
      set.startNode(mongod, nodes > 0, options);
    }
    if (nodes > 0) {
      set.initiate();
    }
    return set;
  }

  private void startNode(String mongod, boolean replicated, String... options) {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ports.add(free.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      Path folder = Files.createTempDirectory("tidemark-mongod");
      folders.add(folder);
      List<String> command =
          new ArrayList<>(
              List.of(
                  mongod,
                  "--dbpath",
                  folder.toString(),
                  "--port",
                  String.valueOf(ports.get(ports.size() - 1)),
                  "--bind_ip",
                  "127.0.0.1",
                  "--wiredTigerCacheSizeGB",
                  "0.25",
                  "--setParameter",
                  "enableTestCommands=1"));
      if (replicated) {
        command.addAll(List.of("--replSet", "rs0"));
      }
      command.addAll(List.of(options));
      servers.add(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log").toFile())
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void initiate() {
    List<Document> members = new ArrayList<>();
    for (int node = 0; node < ports.size(); node++) {
      members.add(new Document("_id", node).append("host", "127.0.0.1:" + ports.get(node)));
    }
    Document settings = new Document("electionTimeoutMillis", 2_000);
    Document config =
        new Document("_id", "rs0")
            .append("members", members)
            .append("settings", settings)
            // A node on its own is not started again: a write need not wait for its disk.
            .append("writeConcernMajorityJournalDefault", ports.size() > 1);
    for (int node = 1; node < ports.size(); node++) {
      awaitListening(node);
    }
    try (MongoClient client = MongoClients.create(direct(0))) {
      initiate(client, config);
    }
    try (MongoClient client = MongoClients.create(uri())) {
      awaitPrimary(client);
    }
  }

  /** A set is refused unless all its members answer. */
  private void awaitListening(int node) {
    try (MongoClient client = MongoClients.create(direct(node))) {
      var unused = client.getDatabase("admin").runCommand(new Document("ping", 1));
    }
  }

  /**
   * Makes a replica set of servers that listen.
   *
   * @param client of one of them
   * @param config of the set; null for that server alone
   */
  public static void initiate(MongoClient client, @Nullable Document config) {
    Object value = config == null ? new Document() : config;
    client.getDatabase("admin").runCommand(new Document("replSetInitiate", value));
  }

  /**
   * Waits until a server takes writes.
   *
   * @param client of it, or of its set
   * @throws IllegalStateException if it takes too long
   */
  public static void awaitPrimary(MongoClient client) {
    Instant end = Instant.now().plus(PATIENCE);
    while (!isPrimary(client)) {
      if (Instant.now().isAfter(end)) {
        throw new IllegalStateException("no primary within " + PATIENCE);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static boolean isPrimary(MongoClient client) {
    try {
      Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
      return hello.getBoolean("isWritablePrimary", false);
    } catch (MongoException e) {
      return false;
    }
  }

  /**
   * Names one server.
   *
   * @param node counted from 0
   * @return its connection string
   */
  public String direct(int node) {
    return "mongodb://127.0.0.1:" + ports.get(node) + "/?directConnection=true";
  }

  /**
   * Names the whole set.
   *
   * @return its connection string
   */
  public String uri() {
    List<String> hosts = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    return "mongodb://" + String.join(",", hosts) + "/?replicaSet=rs0";
  }

  @Override
  public void close() {
    servers.forEach(Process::destroyForcibly);
    servers.forEach(MongoProcess::await);
    folders.forEach(MongoProcess::delete);
    folders.clear();
  }

  private static void await(Process server) {
    try {
      server.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
