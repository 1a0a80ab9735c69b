package dev.tidemark.example.orderhistory.store;

import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.RestaurantBoard;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The settings of one process. Immutable.
 *
 * @param values by the names of {@link Setting}s; others are ignored
 */
public record Settings(Map<String, String> values) {
  /**
   * Copies the values.
   *
   * @param values by the names of {@link Setting}s; others are ignored
   */
  public Settings {
    values = Map.copyOf(values);
  }

  /**
   * A setting that has to be there.
   *
   * @param setting which
   * @return its value
   * @throws IllegalArgumentException if it is missing or empty
   */
  public String get(Setting setting) {
    String value = get(setting, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("the environment variable " + setting + " is not set");
    }
    return value;
  }

  /**
   * A setting with a default.
   *
   * @param setting which
   * @param otherwise its value if it is missing
   * @return its value
   */
  public String get(Setting setting, String otherwise) {
    return values.getOrDefault(setting.name(), otherwise);
  }

  /**
   * A setting with several values.
   *
   * @param setting which
   * @param otherwise its value if it is missing
   * @return what stands between commas
   */
  public List<String> list(Setting setting, String otherwise) {
    return List.of(get(setting, otherwise).split(","));
  }

  /**
   * Opens the views. A client of DynamoDB connects when it is used, one of MongoDB at once.
   *
   * @param listener told of every tracked call, or null
   * @param clock times the moment for which the serving generation is remembered
   * @return the caller's to close
   * @throws IllegalArgumentException if a setting is missing or no possible one
   */
  public Generations open(@Nullable StoreListener listener, Clock clock) {
    return open(listener, clock, DynamoDbClient::create);
  }

  /**
   * Opens the views, by a DynamoDB client of the caller's making.
   *
   * @param listener told of every tracked call, or null
   * @param clock times the moment for which the serving generation is remembered
   * @param dynamoDb asked only if the views are in DynamoDB
   * @return the caller's to close
   * @throws IllegalArgumentException if a setting is missing or no possible one
   */
  public Generations open(
      @Nullable StoreListener listener, Clock clock, Supplier<DynamoDbClient> dynamoDb) {
    String store = get(Setting.STORE, "dynamodb");
    boolean announces = flag(Setting.STATUS_EVENTS);
    return switch (store) {
      case "dynamodb" ->
          new DynamoDbGenerations(
              dynamoDb.get(), get(Setting.TABLE_PREFIX, ""), listener, clock, announces);
      case "mongodb" ->
          new MongoGenerations(
              MongoClients.create(get(Setting.MONGODB_URI)),
              get(Setting.MONGODB_DATABASE, "orderhistory"),
              listener,
              clock,
              announces);
      default ->
          throw new IllegalArgumentException("STORE must be dynamodb or mongodb, was " + store);
    };
  }

  private boolean flag(Setting setting) {
    String value = get(setting, "false");
    if (!List.of("true", "false").contains(value)) {
      throw new IllegalArgumentException(setting + " must be true or false, was " + value);
    }
    return value.equals("true");
  }

  /**
   * What a carrier's batches are handed to.
   *
   * @param generations where the views are
   * @return a handler for any number of threads
   * @throws IllegalArgumentException if {@code VIEWS} names none
   */
  public Function<List<Delivery>, BatchOutcome<?>> handler(Generations generations) {
    String views = get(Setting.VIEWS, "orders");
    return switch (views) {
      case "orders" -> Views.serving(generations);
      case "board" -> RestaurantBoard.into(generations.board())::handle;
      default -> throw new IllegalArgumentException("VIEWS must be orders or board, was " + views);
    };
  }
}
