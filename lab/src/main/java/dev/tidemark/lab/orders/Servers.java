package dev.tidemark.lab.orders;

import dev.tidemark.servers.MongoProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The servers of all cells, started when one asks for them. For any number of threads. */
final class Servers implements AutoCloseable {
  private final Path folder;
  private final Map<String, StoreServer> stores = new HashMap<>();
  private final Map<String, Broker> brokers = new HashMap<>();

  /** None yet; what they keep and log is in that folder. */
  Servers(Path folder) {
    this.folder = folder;
  }

  private synchronized StoreServer store(String name) {
    return stores.computeIfAbsent(name, store -> StoreServer.start(store, made(name)));
  }

  private synchronized Broker broker(String carrier) {
    return brokers.computeIfAbsent(kind(carrier), kind -> broker(kind, "broker-" + kind));
  }

  private static String kind(String carrier) {
    return switch (carrier) {
      case "kafka", "change-stream" -> carrier;
      default -> "sqs";
    };
  }

  private Broker broker(String kind, String name) {
    return switch (kind) {
      case "kafka" -> new KafkaBroker(made(name));
      case "change-stream" -> new EventsMongo(made(name));
      default -> new SqsBroker();
    };
  }

  private Path made(String name) {
    try {
      return Files.createDirectories(folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the cells need and this machine has not. */
  static Optional<String> missingFor(List<Cell> cells) {
    boolean mongo =
        cells.stream()
            .anyMatch(c -> c.store().equals("mongodb") || c.carrier().equals("change-stream"));
    return mongo ? MongoProgram.missing() : Optional.empty();
  }

  /** Runs one cell; a broker that is restarted is the cell's own. */
  CellResult run(Cell cell, Options options, boolean tracked, Clock clock)
      throws InterruptedException {
    if (cell.fault() == Fault.BROKER_RESTART) {
      try (Broker own = broker(kind(cell.carrier()), cell.name())) {
        return run(cell, options, tracked, own, clock);
      }
    }
    return run(cell, options, tracked, broker(cell.carrier()), clock);
  }

  private CellResult run(Cell cell, Options options, boolean tracked, Broker broker, Clock clock)
      throws InterruptedException {
    StoreServer store = store(cell.store());
    try (CellRun run = new CellRun(cell, options, store, broker, made("logs"), tracked, clock)) {
      return run.run();
    }
  }

  @Override
  public void close() throws Exception {
    for (Broker broker : brokers.values()) {
      broker.close();
    }
    for (StoreServer store : stores.values()) {
      store.close();
    }
  }
}
