package dev.tidemark.benchmarks.server;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.servers.MongoProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;

/** A mongod of its own, as a replica set of one. */
public final class MongoServer implements AutoCloseable {
  private final ServerProcess process;
  private final String address;

  private MongoServer(ServerProcess process, String address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts one on a free port.
   *
   * @return the primary of its set
   */
  public static MongoServer start() {
    int port = ServerProcess.freePort();
    Path folder = ServerProcess.folder("mongodb");
    List<String> command =
        List.of(
            MongoProgram.find(),
            "--dbpath=" + folder,
            "--bind_ip=127.0.0.1",
            "--port=" + port,
            "--replSet=bench",
            "--oplogSize=4096",
            "--wiredTigerCacheSizeGB=1");
    ServerProcess process = ServerProcess.start(folder, port, command);
    MongoServer server = new MongoServer(process, "127.0.0.1:" + port);
    server.initiate();
    return server;
  }

  private void initiate() {
    try (MongoClient client =
        MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
      Document member = new Document("_id", 0).append("host", address);
      Document set = new Document("_id", "bench").append("members", List.of(member));
      client.getDatabase("admin").runCommand(new Document("replSetInitiate", set));
      Document hello = new Document("hello", 1);
      while (!client
          .getDatabase("admin")
          .runCommand(hello)
          .getBoolean("isWritablePrimary", false)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }

  /**
   * Where it listens.
   *
   * @return a connection string
   */
  public String uri() {
    return "mongodb://" + address + "/?replicaSet=bench";
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
