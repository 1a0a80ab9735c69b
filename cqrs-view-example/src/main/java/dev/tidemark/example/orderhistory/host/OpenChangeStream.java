package dev.tidemark.example.orderhistory.host;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.carrier.ChangeStreamCarrier;
import dev.tidemark.example.orderhistory.host.OpenCarrier.PausedLane;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

/** Opens the change stream carrier with a client of its own. */
final class OpenChangeStream {
  private OpenChangeStream() {}

  /** Reads the settings now, and connects with each attempt. */
  static Supplier<OpenCarrier> with(
      Settings settings, Generations generations, BatchWatch watch, Clock clock) {
    String uri = settings.get(Setting.EVENTS_MONGODB_URI);
    String database = settings.get(Setting.EVENTS_DATABASE, "orders");
    return () -> {
      MongoClient client = MongoClients.create(uri);
      ChangeStreamCarrier carrier =
          new ChangeStreamCarrier(client, database, watch.over(generations.resumable()), clock);
      return new OpenCarrier(carrier, () -> lanes(carrier), client::close);
    };
  }

  private static List<PausedLane> lanes(ChangeStreamCarrier carrier) {
    return carrier.held().stream()
        .map(held -> new PausedLane("change stream", held.reason(), held.since()))
        .toList();
  }
}
