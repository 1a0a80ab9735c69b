package dev.tidemark.benchmarks.server;

import dev.tidemark.servers.MongoProcess;
import java.nio.file.Path;

/** A mongod of its own, as a replica set of one whose writes wait for its disk. */
public final class MongoServer implements AutoCloseable {
  private final Path folder;
  private final MongoProcess process;

  private MongoServer(Path folder) {
    this.folder = folder;
    this.process = MongoProcess.start(folder, 1, "--oplogSize=4096", "--wiredTigerCacheSizeGB=1");
  }

  /**
   * Starts one on a free port.
   *
   * @return the primary of its set
   */
  public static MongoServer start() {
    return new MongoServer(ServerProcess.folder("mongodb"));
  }

  /**
   * Where it listens.
   *
   * @return a connection string
   */
  public String uri() {
    return process.uri();
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
    ServerProcess.delete(folder);
  }
}
