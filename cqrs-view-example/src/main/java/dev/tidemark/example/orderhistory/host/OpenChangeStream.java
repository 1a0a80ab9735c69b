package dev.tidemark.example.orderhistory.host;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.carrier.ChangeStreamCarrier;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

/** The change stream carrier with a client of its own. */
final class OpenChangeStream implements Carrier {
  private final MongoClient client;
  private final ChangeStreamCarrier carrier;

  private OpenChangeStream(MongoClient client, ChangeStreamCarrier carrier) {
    this.client = client;
    this.carrier = carrier;
  }

  /** Reads the settings now, and connects with each attempt. */
  static Supplier<Carrier> with(
      Settings settings, Generations generations, BatchWatch watch, Clock clock) {
    String uri = settings.get(Setting.EVENTS_MONGODB_URI);
    String database = settings.get(Setting.EVENTS_DATABASE, "orders");
    return () -> {
      MongoClient client = MongoClients.create(uri);
      return new OpenChangeStream(
          client,
          new ChangeStreamCarrier(client, database, watch.over(generations.resumable()), clock));
    };
  }

  @Override
  public void run() {
    carrier.run();
  }

  @Override
  public void stop() {
    carrier.stop();
  }

  @Override
  public List<PausedLane> paused() {
    return carrier.held().stream()
        .map(held -> new PausedLane("change stream", held.reason(), held.since()))
        .toList();
  }

  @Override
  public void close() {
    client.close();
  }
}
