package dev.tidemark.benchmarks.dynamodb;

import dev.tidemark.benchmarks.measure.Meter;
import dev.tidemark.benchmarks.measure.Store;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.benchmarks.server.DynamoDbServer;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB Local and what is measured on it. */
public final class DynamoDbStore implements Store {
  private final DynamoDbServer server;
  private final Meter meter = new Meter();
  private final Clients clients;
  private final List<Technique> techniques;

  /**
   * A client of a server.
   *
   * @param server the server; stays open
   * @param asksForUnits whether every request asks for the units that it takes
   */
  public DynamoDbStore(DynamoDbServer server, boolean asksForUnits) {
    this.server = server;
    this.clients = Clients.of(server.uri(), meter, asksForUnits);
    reset();
    this.techniques = DynamoDbTechniques.all(clients);
  }

  DynamoDbClient client() {
    return clients.sync();
  }

  @Override
  public String name() {
    return "dynamodb";
  }

  @Override
  public String server() {
    return "DynamoDB Local 2.6.1, in memory, in a JVM of its own";
  }

  @Override
  public List<Technique> techniques() {
    return techniques;
  }

  @Override
  public void reset() {
    Tables.reset(clients.sync());
  }

  @Override
  public void create(List<String> entities) {
    Tables.create(clients.sync(), entities);
  }

  @Override
  public long total(String entity) {
    return Tables.total(clients.sync(), entity);
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
    clients.close();
  }
}
