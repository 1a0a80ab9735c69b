package dev.tidemark.servers;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.File;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Servers of the program that {@link MongoProgram} finds, on free ports, which go with this JVM.
 * Safe for use by many threads, but for {@link #stop}, {@link #restart} and {@link #close}.
 */
public final class MongoProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String CACHE = "--wiredTigerCacheSizeGB";

  private final String program;
  private final boolean replicated;
  private final Path folder;
  private final boolean keeps;
  private final List<String> options;
  private final List<Integer> ports;
  private final List<Process> servers = new CopyOnWriteArrayList<>();

  private MongoProcess(Path folder, boolean keeps, int nodes, String... options) {
    this.program = MongoProgram.find();
    this.replicated = nodes > 0;
    this.folder = folder;
    this.keeps = keeps;
    this.options = List.of(options);
    this.ports = IntStream.range(0, Math.max(1, nodes)).mapToObj(node -> freePort()).toList();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /**
   * Starts servers in a temporary folder, which goes with them.
   *
   * @param nodes of a replica set; none for one server on its own
   * @param options of each, beside those that this class gives
   * @return a set that has a primary
   * @throws IllegalStateException if no program is found, or it does not start
   */
  public static MongoProcess start(int nodes, String... options) {
    try {
      Path folder = Files.createTempDirectory("tidemark-mongod");
      return new MongoProcess(folder, false, nodes, options).begun();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts servers whose data stay when they end.
   *
   * @param folder where the data are, empty
   * @param nodes of a replica set; none for one server on its own
   * @param options of each, beside those that this class gives
   * @return a set that has a primary
   * @throws IllegalStateException if no program is found, or it does not start
   */
  public static MongoProcess start(Path folder, int nodes, String... options) {
    return new MongoProcess(folder, true, nodes, options).begun();
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private MongoProcess begun() {
    launch();
    try {
      if (replicated) {
        initiate();
      }
      return this;
    } catch (RuntimeException e) {
      String said = said();
      close();
      throw new IllegalStateException("mongod did not start; it said last: " + said, e);
    }
  }

  private void launch() {
    for (int port : ports) {
      Path data = folder.resolve("" + port);
      List<String> command =
          new ArrayList<>(List.of(program, "--dbpath=" + data, "--port=" + port));
      command.addAll(List.of("--bind_ip=127.0.0.1", "--setParameter=enableTestCommands=1"));
      if (replicated) {
        command.add("--replSet=rs0");
      }
      if (options.stream().noneMatch(option -> option.startsWith(CACHE))) {
        // A quarter was full by a write to a document of 16 MB, with its image and the oplog's
        // entry.
        command.add(CACHE + "=0.5");
      }
      command.addAll(options);
      try {
        Files.createDirectories(data);
        servers.add(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(port)))
                .start());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private File log(int port) {
    return folder.resolve(port + ".log").toFile();
  }

  private String said() {
    try {
      List<String> lines = Files.readAllLines(log(ports.get(0)).toPath());
      return lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
    } catch (IOException e) {
      return e.toString();
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
            // A node on its own that is not started again: a write need not wait for its disk.
            .append("writeConcernMajorityJournalDefault", keeps || ports.size() > 1);
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

  /**
   * Tells what it is.
   *
   * @return a few words
   */
  public String origin() {
    String number = ports.size() == 1 ? "one " : ports.size() + " ";
    return (replicated ? "a replica set of " : "") + number + program;
  }

  /**
   * Sends the primary away for some seconds.
   *
   * @return false where no other could take its place
   */
  public boolean stepDown() {
    Document command = new Document("replSetStepDown", 5).append("secondaryCatchUpPeriodSecs", 2);
    try (MongoClient client = MongoClients.create(uri())) {
      client.getDatabase("admin").runCommand(command);
      return true;
    } catch (MongoException e) { // none has caught up in time, or one has just stepped down
      return false;
    }
  }

  /**
   * The processor time that the servers took so far.
   *
   * @return nanoseconds
   */
  public long cpuNanos() {
    return servers.stream()
        .mapToLong(server -> server.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
        .sum();
  }

  /** Stops the servers; where their data stay, they end in good order. */
  public void stop() {
    servers.forEach(keeps ? Process::destroy : Process::destroyForcibly);
    servers.forEach(MongoProcess::await);
    servers.clear();
  }

  /** Starts them again, at the same ports, with what they had stored. */
  public void restart() {
    launch();
    try (MongoClient client = MongoClients.create(uri())) {
      awaitPrimary(client);
    }
  }

  @Override
  public void close() {
    stop();
    if (!keeps && Files.exists(folder)) {
      delete(folder);
    }
  }

  private static void await(Process server) {
    try {
      if (!server.waitFor(10, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
    } catch (InterruptedException e) {
      server.destroyForcibly();
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
