package dev.tidemark.lab.storm;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.FreePort;
import dev.tidemark.servers.MongoProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;

/** MongoDB servers of which any can become the primary. For any number of threads. */
public final class MongoSet implements AutoCloseable {
  private static final int MEMBERS = 3;

  private final String uri;
  private final String origin;
  private final List<Process> servers;

  private MongoSet(String uri, String origin, List<Process> servers) {
    this.uri = uri;
    this.origin = origin;
    this.servers = servers;
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** A replica set of three processes. */
  public static MongoSet ofThree(Path folder) {
    String program = MongoProgram.find();
    List<Integer> ports = IntStream.range(0, MEMBERS).mapToObj(member -> FreePort.find()).toList();
    List<String> hosts = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    String uri = "mongodb://" + String.join(",", hosts) + "/?replicaSet=storm";
    List<Process> servers =
        ports.stream().map(port -> launch(program, folder.resolve("" + port), port)).toList();
    MongoSet set = new MongoSet(uri, "a replica set of three " + program, servers);
    set.initiate(hosts);
    return set;
  }

  private static Process launch(String program, Path folder, int port) {
    try {
      Files.createDirectories(folder);
      return new ProcessBuilder(
              program,
              "--dbpath=" + folder,
              "--bind_ip=127.0.0.1",
              "--port=" + port,
              "--replSet=storm",
              "--wiredTigerCacheSizeGB=0.25")
          .redirectErrorStream(true)
          .redirectOutput(folder.resolve("out").toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void initiate(List<String> hosts) {
    List<Document> members =
        IntStream.range(0, hosts.size())
            .mapToObj(member -> new Document("_id", member).append("host", hosts.get(member)))
            .toList();
    Document settings = new Document("electionTimeoutMillis", 2_000);
    Document config =
        new Document("_id", "storm").append("members", members).append("settings", settings);
    hosts.forEach(host -> admin(host, new Document("ping", 1))); // all have to answer
    admin(hosts.get(0), new Document("replSetInitiate", config));
    awaitPrimary();
  }

  private static void admin(String host, Document command) {
    try (MongoClient client =
        MongoClients.create("mongodb://" + host + "/?directConnection=true")) {
      client.getDatabase("admin").runCommand(command);
    }
  }

  private void awaitPrimary() {
    try (MongoClient client = MongoClients.create(uri)) {
      Await.until("the set has a primary", () -> isPrimary(client));
    }
  }

  private static boolean isPrimary(MongoClient client) {
    try {
      return client
          .getDatabase("admin")
          .runCommand(new Document("hello", 1))
          .getBoolean("isWritablePrimary", false);
    } catch (MongoException e) {
      return false;
    }
  }

  /** Names the members. */
  public String uri() {
    return uri;
  }

  /** What it is, to be told once. */
  public String origin() {
    return origin;
  }

  /** Sends the primary away for some seconds; false where no other could take its place. */
  public boolean stepDown() {
    Document command = new Document("replSetStepDown", 5).append("secondaryCatchUpPeriodSecs", 2);
    try (MongoClient client = MongoClients.create(uri)) {
      client.getDatabase("admin").runCommand(command);
      return true;
    } catch (MongoException e) { // none has caught up in time, or one has just stepped down
      return false;
    }
  }

  @Override
  public void close() {
    servers.forEach(Process::destroy);
    servers.forEach(MongoSet::ended);
  }

  private static void ended(Process server) {
    try {
      if (!server.waitFor(10, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
    } catch (InterruptedException e) {
      server.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
