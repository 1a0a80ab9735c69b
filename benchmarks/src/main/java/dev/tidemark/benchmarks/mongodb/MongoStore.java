package dev.tidemark.benchmarks.mongodb;

import dev.tidemark.benchmarks.measure.Meter;
import dev.tidemark.benchmarks.measure.Store;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.benchmarks.server.MongoServer;
import java.util.List;

/** A mongod and what is measured on it. */
public final class MongoStore implements Store {
  private final MongoServer server;
  private final Meter meter = new Meter();
  private final Collections collections;
  private final List<Technique> techniques;

  /**
   * A client of a server.
   *
   * @param server the server; stays open
   */
  public MongoStore(MongoServer server) {
    this.server = server;
    this.collections = new Collections(server.uri(), meter);
    reset();
    this.techniques = MongoTechniques.all(collections);
  }

  Collections collections() {
    return collections;
  }

  @Override
  public String name() {
    return "mongodb";
  }

  @Override
  public String server() {
    return "MongoDB " + collections.version() + ", a replica set of one, majority writes";
  }

  @Override
  public List<Technique> techniques() {
    return techniques;
  }

  @Override
  public void reset() {
    collections.reset();
  }

  @Override
  public void create(List<String> entities) {
    collections.create(entities);
  }

  @Override
  public long total(String entity) {
    return collections.total(entity);
  }

  @Override
  public Meter meter() {
    return meter;
  }

  @Override
  public long serverCpuNanos() {
    return server.cpuNanos();
  }

  @Override
  public void close() {
    collections.close();
  }
}
