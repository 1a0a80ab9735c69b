package dev.tidemark.example.orderhistory.settings;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.RestaurantBoard;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What a process is told by environment variables: {@code tablePrefix} by {@code TABLE_PREFIX}, and
 * so on. Spring binds them in the service; functions and commands, which have no Spring, read them
 * by {@link #of}. One that is not set is empty, or as it says here; a wrong one, or one that
 * another needs, is refused before anything is opened. Where the AWS services are, and the
 * credentials for them, the AWS SDK finds by variables of its own; {@code KAFKA_GROUP} is for
 * Spring's consumer alone. Immutable.
 *
 * @param store where the views are: {@code dynamodb} (the default) or {@code mongodb}
 * @param tablePrefix what the names of DynamoDB's tables begin with
 * @param mongodbUri the connection string of the MongoDB with the views
 * @param mongodbDatabase the database with the views; {@code orderhistory} by default
 * @param carrier what brings events: {@code kafka}, {@code sqs}, {@code change-stream}, or {@code
 *     none} (the default)
 * @param views what the carrier's deliveries are for: {@code orders}, which are the order history
 *     and the sums (the default), or {@code board}, to which changes of statuses come
 * @param kafkaBootstrapServers Kafka's bootstrap servers
 * @param kafkaTopics topics of events, with commas between; {@code orders,tickets,deliveries} by
 *     default
 * @param kafkaDeadLetterTopic {@code order-history-dead-letters} by default
 * @param kafkaReportsFailures whether the function's mapping of a Kafka source reports batch item
 *     failures, which needs its provisioned mode
 * @param queueUrl of the queue of events, standard or FIFO
 * @param deadLetterQueueUrl of the queue of dead letters
 * @param eventsMongodbUri the connection string of the MongoDB with the collection of events
 * @param eventsDatabase the database with the collection of events; {@code orders} by default
 * @param eventsReader the name of the place in the change stream; {@code order-history} by default
 * @param statusEvents whether rows publish each change of their status: only for where a relay
 *     takes the messages away
 * @param relayTo where the relay sends changes of statuses: {@code kafka}, {@code sqs}, or both
 *     with a comma between; there is no relay by default
 * @param statusTopic Kafka's topic of changes of statuses; {@code order-status} by default
 * @param statusQueueUrl of the queue of changes of statuses, standard or FIFO
 * @param relayMetrics the namespace of CloudWatch under which a relay writes its metrics, as lines
 *     of its log; by default a service writes none, and a function under {@code order-history}
 * @param showBoard whether the page shows the board of restaurants, whose table is there
 * @param paymentsUrl where the payment provider is; there are no checkouts without one
 * @param checkoutLeaseSeconds how long a step of a checkout may take; 30 by default
 */
@ConfigurationProperties
public record Settings(
    String store,
    String tablePrefix,
    String mongodbUri,
    String mongodbDatabase,
    String carrier,
    String views,
    String kafkaBootstrapServers,
    String kafkaTopics,
    String kafkaDeadLetterTopic,
    boolean kafkaReportsFailures,
    String queueUrl,
    String deadLetterQueueUrl,
    String eventsMongodbUri,
    String eventsDatabase,
    String eventsReader,
    boolean statusEvents,
    String relayTo,
    String statusTopic,
    String statusQueueUrl,
    String relayMetrics,
    boolean showBoard,
    String paymentsUrl,
    Integer checkoutLeaseSeconds) {
  private static final JsonMapper ENVIRONMENT =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.UPPER_SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** Checks them, and has the defaults of those that are not set, which are null or empty. */
  public Settings {
    store = oneOf("STORE", store, "dynamodb", "mongodb");
    tablePrefix = or(tablePrefix, "");
    mongodbUri = needed(store.equals("mongodb"), "MONGODB_URI", mongodbUri);
    mongodbDatabase = or(mongodbDatabase, "orderhistory");
    carrier = oneOf("CARRIER", carrier, "none", "kafka", "sqs", "change-stream");
    views = oneOf("VIEWS", views, "orders", "board");
    relayTo = oneOf("RELAY_TO", relayTo, "", "kafka", "sqs", "kafka,sqs", "sqs,kafka");
    boolean usesKafka = carrier.equals("kafka") || relayTo.contains("kafka");
    kafkaBootstrapServers = needed(usesKafka, "KAFKA_BOOTSTRAP_SERVERS", kafkaBootstrapServers);
    kafkaTopics = or(kafkaTopics, "orders,tickets,deliveries");
    kafkaDeadLetterTopic = or(kafkaDeadLetterTopic, "order-history-dead-letters");
    boolean isQueue = carrier.equals("sqs");
    queueUrl = needed(isQueue, "QUEUE_URL", queueUrl);
    deadLetterQueueUrl = needed(isQueue, "DEAD_LETTER_QUEUE_URL", deadLetterQueueUrl);
    boolean isStream = carrier.equals("change-stream");
    eventsMongodbUri = needed(isStream, "EVENTS_MONGODB_URI", eventsMongodbUri);
    eventsDatabase = or(eventsDatabase, "orders");
    eventsReader = or(eventsReader, "order-history");
    statusTopic = or(statusTopic, OrderStatusChanged.TOPIC);
    statusQueueUrl = needed(relayTo.contains("sqs"), "STATUS_QUEUE_URL", statusQueueUrl);
    relayMetrics = or(relayMetrics, "");
    paymentsUrl = or(paymentsUrl, "");
    checkoutLeaseSeconds = checkoutLeaseSeconds == null ? 30 : checkoutLeaseSeconds;
    if (checkoutLeaseSeconds < 1) {
      throw new IllegalArgumentException(
          "CHECKOUT_LEASE_SECONDS must be at least 1, was " + checkoutLeaseSeconds);
    }
  }

  /**
   * Reads the settings of a process without Spring.
   *
   * @param environment such as {@link System#getenv()}; other variables are ignored
   * @return the settings
   * @throws IllegalArgumentException names the variable that is wrong, or missing
   */
  public static Settings of(Map<String, String> environment) {
    return ENVIRONMENT.convertValue(environment, Settings.class);
  }

  /**
   * A setting that is needed in some processes only.
   *
   * @param isNeeded whether it has to be there
   * @param variable its name
   * @param value its value
   * @return its value; empty if there is none
   * @throws IllegalArgumentException if it is needed and not there
   */
  public static String needed(boolean isNeeded, String variable, @Nullable String value) {
    String found = or(value, "");
    if (isNeeded && found.isEmpty()) {
      throw new IllegalArgumentException("the environment variable " + variable + " is not set");
    }
    return found;
  }

  private static String or(@Nullable String value, String otherwise) {
    return value == null || value.isEmpty() ? otherwise : value;
  }

  /** The first of the possible values is the default. */
  private static String oneOf(String variable, @Nullable String value, String... possible) {
    String chosen = or(value, possible[0]);
    if (!List.of(possible).contains(chosen)) {
      throw new IllegalArgumentException(
          "%s must be one of %s, was %s".formatted(variable, List.of(possible), value));
    }
    return chosen;
  }

  /**
   * What a carrier's batches are handed to.
   *
   * @param generations where the views are
   * @return a handler for any number of threads
   */
  public Function<List<Delivery>, BatchOutcome<?>> handler(Generations generations) {
    return views.equals("board")
        ? RestaurantBoard.into(generations.board())::handle
        : Views.serving(generations);
  }
}
