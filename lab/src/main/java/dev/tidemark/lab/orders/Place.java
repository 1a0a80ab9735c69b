package dev.tidemark.lab.orders;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.store.DynamoDbGenerations;
import dev.tidemark.example.orderhistory.store.DynamoDbTables;
import dev.tidemark.example.orderhistory.store.MongoGenerations;
import dev.tidemark.metrics.StoreListener;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Where the views of one run are.
 *
 * @param store {@code dynamodb} or {@code mongodb}
 * @param port of the server on this machine, or of a proxy before it
 * @param name tells the run's tables or database from others
 */
record Place(String store, int port, String name) {

  /** Where a consumer was told that they are. */
  static Place of(Brief brief) {
    return new Place(brief.get("store"), brief.number("storePort"), brief.get("name"));
  }

  /** What a consumer is told. */
  Map<String, String> settings() {
    return Map.of("store", store, "storePort", Integer.toString(port), "name", name);
  }

  /** The same views through another port. */
  Place through(int otherPort) {
    return new Place(store, otherPort, name);
  }

  /** Makes the tables or collections. */
  Place prepared() {
    try (Generations generations = generations(null, new LongAdder())) {
      generations.prepare(1);
    }
    return this;
  }

  private Generations generations(@Nullable StoreListener listener, LongAdder requests) {
    return store.equals("dynamodb")
        ? new DynamoDbGenerations(dynamoDb(requests), prefix(), listener, Clock.systemUTC(), false)
        : new MongoGenerations(mongo(requests), name, listener, Clock.systemUTC(), false);
  }

  /**
   * The views, tracked, or kept by handlers that trust every event to come once.
   *
   * @param counts told what becomes of deliveries in the order history
   */
  OpenViews open(boolean tracked, Consumer<Map<String, Long>> counts) {
    if (!tracked) {
      return open(Technique.OFF, counts, new LongAdder());
    }
    Generations generations = generations(Tally.ofHistory(counts), new LongAdder());
    return new OpenViews(generations.generation(1), generations::close);
  }

  /**
   * The views, kept by one of the techniques, all of which are counted and measured alike.
   *
   * @param counts told what becomes of deliveries in the order history
   * @param requests counts what is sent
   */
  OpenViews open(Technique technique, Consumer<Map<String, Long>> counts, LongAdder requests) {
    OpenViews views =
        switch (technique) {
          case ON -> {
            Generations generations = generations(null, requests);
            yield new OpenViews(generations.generation(1), generations::close);
          }
          case HAND_WRITTEN ->
              store.equals("dynamodb")
                  ? HandWrittenDynamoDb.views(dynamoDb(requests), prefix())
                  : HandWrittenMongo.views(mongo(requests), name);
          case OFF ->
              store.equals("dynamodb")
                  ? UntrackedDynamoDb.views(dynamoDb(requests), prefix())
                  : UntrackedMongo.views(mongo(requests), name);
        };
    return new OpenViews(Counted.views(views.store(), counts), views::close);
  }

  /** All rows, read past the library. */
  Rows rows() {
    return store.equals("dynamodb") ? dynamoDbRows() : mongoRows();
  }

  private Rows dynamoDbRows() {
    try (DynamoDbClient client = dynamoDb(new LongAdder())) {
      DynamoDbTables tables = new DynamoDbTables(client, prefix());
      return new Rows(scan(tables.orderHistory(1)), scan(tables.consumerSpending(1)));
    }
  }

  private static <T> List<T> scan(DynamoDbTable<T> table) {
    return table.scan(scan -> scan.consistentRead(true)).items().stream().toList();
  }

  private Rows mongoRows() {
    try (MongoClient client = mongo(new LongAdder())) {
      return new Rows(
          UntrackedMongo.orders(client, name).find().into(new ArrayList<>()),
          UntrackedMongo.spending(client, name).find().into(new ArrayList<>()));
    }
  }

  private DynamoDbClient dynamoDb(LongAdder requests) {
    return LocalDynamoDb.client(URI.create("http://127.0.0.1:" + port), requests);
  }

  private MongoClient mongo(LongAdder requests) {
    CommandListener counter =
        new CommandListener() {
          @Override
          public void commandStarted(CommandStartedEvent event) {
            requests.increment();
          }
        };
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(
                new ConnectionString("mongodb://127.0.0.1:" + port + "/?directConnection=true"))
            .addCommandListener(counter)
            .build());
  }

  private String prefix() {
    return name + "-";
  }
}
