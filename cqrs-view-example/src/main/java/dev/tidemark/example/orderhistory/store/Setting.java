package dev.tidemark.example.orderhistory.store;

/**
 * What a process is told by environment variables of these names. Where the AWS services are, and
 * the credentials for them, the AWS SDK finds by variables of its own.
 */
public enum Setting {
  /** Where the views are: {@code dynamodb} (the default) or {@code mongodb}. */
  STORE,
  /** What the names of DynamoDB's tables begin with; empty by default. */
  TABLE_PREFIX,
  /** The connection string of the MongoDB with the views. */
  MONGODB_URI,
  /** The database with the views; {@code orderhistory} by default. */
  MONGODB_DATABASE,
  /** What brings events: {@code kafka}, {@code sqs}, {@code change-stream}; none by default. */
  CARRIER,
  /**
   * What the carrier's deliveries are for: {@code orders}, which are the order history and the sums
   * (the default), or {@code board}, to which changes of statuses come.
   */
  VIEWS,
  /** Kafka's bootstrap servers. */
  KAFKA_BOOTSTRAP_SERVERS,
  /** The consumer group; {@code order-history} by default. */
  KAFKA_GROUP,
  /** Topics of events, with commas between; {@code orders,tickets,deliveries} by default. */
  KAFKA_TOPICS,
  /** The topic of dead letters; {@code order-history-dead-letters} by default. */
  KAFKA_DEAD_LETTER_TOPIC,
  /** The URL of the queue of events, standard or FIFO. */
  QUEUE_URL,
  /** The URL of the queue of dead letters. */
  DEAD_LETTER_QUEUE_URL,
  /**
   * {@code true} if the function's mapping of a Kafka source reports batch item failures, which
   * needs its provisioned mode; {@code false} by default.
   */
  KAFKA_REPORTS_FAILURES,
  /** The connection string of the MongoDB with the collection of events. */
  EVENTS_MONGODB_URI,
  /** The database with the collection of events; {@code orders} by default. */
  EVENTS_DATABASE,
  /**
   * {@code true} if rows publish each change of their status, for a relay to send; {@code false} by
   * default, since without a relay nobody would take the messages away.
   */
  STATUS_EVENTS,
  /**
   * Where the relay sends changes of statuses: {@code kafka}, {@code sqs}, or both with a comma
   * between; there is no relay by default.
   */
  RELAY_TO,
  /** Kafka's topic of changes of statuses; {@code order-status} by default. */
  STATUS_TOPIC,
  /** The URL of the queue of changes of statuses, standard or FIFO. */
  STATUS_QUEUE_URL,
  /**
   * The namespace of CloudWatch under which a relay writes its metrics, as lines of its log; by
   * default a service writes none, and a function writes them under {@code order-history}.
   */
  RELAY_METRICS,
  /**
   * {@code true} if the page shows the board of restaurants, whose table or collection is there;
   * {@code false} by default.
   */
  SHOW_BOARD,
  /** Where the payment provider is; there are no checkouts without one. */
  PAYMENTS_URL,
  /** How long a step of a checkout may take; 30 by default. */
  CHECKOUT_LEASE_SECONDS
}
