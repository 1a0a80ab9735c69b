package dev.tidemark.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code tidemark}.
 *
 * @param tables the table or collection of a tracked class, by its simple or full name, such as
 *     {@code tidemark.tables.order-view}; {@link InTable} on the class says the same
 * @param stores the store of a tracked class, by its simple or full name: needed only where both
 *     would do
 * @param mongodb for MongoDB
 * @param executions for idempotency keys
 * @param inbox for messages that are remembered in records of their own
 * @param outbox for relays of outgoing messages
 * @param idempotency for the filter of HTTP requests
 */
@ConfigurationProperties("tidemark")
public record TidemarkProperties(
    @DefaultValue Map<String, String> tables,
    @DefaultValue Map<String, Store> stores,
    @DefaultValue Mongodb mongodb,
    @DefaultValue Executions executions,
    @DefaultValue Inbox inbox,
    @DefaultValue Outbox outbox,
    @DefaultValue Idempotency idempotency) {
  /** A store of entities. */
  public enum Store {
    /** A {@code DynamoDbEntityStore}. */
    DYNAMODB,
    /** A {@code MongoEntityStore}. */
    MONGODB
  }

  /**
   * For MongoDB.
   *
   * @param database the database of the collections; that of Spring Boot unless given
   */
  public record Mongodb(@Nullable String database) {}

  /**
   * For idempotency keys.
   *
   * @param table the table or collection of their records, and of relays' leases; without it there
   *     is no bean of type RecordStore
   * @param store where that is: needed only where there are clients of both stores
   * @param scope of the Executions bean; without it there is none
   */
  public record Executions(@Nullable String table, @Nullable Store store, @Nullable String scope) {}

  /**
   * For inboxes.
   *
   * @param table the table or collection of their records; without it there is no inbox
   * @param subscriber who handles the messages
   */
  public record Inbox(@Nullable String table, @Nullable String subscriber) {}

  /**
   * For relays of outgoing messages.
   *
   * @param enabled whether a relay runs for each bean of type OutboxRecords
   * @param streams whether streams of the store tell relays at once what came: change streams of
   *     MongoDB, and streams of DynamoDB's tables, where a DynamoDbStreamsClient is a bean. A
   *     table's stream has two readers at most, so no more than two instances
   * @param staleAfter for how long the store may not answer a relay before its health is down
   */
  public record Outbox(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("false") boolean streams,
      @DefaultValue("1m") Duration staleAfter) {}

  /**
   * For the filter of HTTP requests.
   *
   * @param enabled whether there is one
   * @param urlPatterns which requests it is for, as a servlet filter's patterns; needed where it is
   *     enabled
   * @param sharedKeys whether all clients have the same keys, so that whoever knows a key and sends
   *     the same request is given the response that another client got; otherwise each principal
   *     has keys of its own
   * @param scope keeps its keys apart from those of others; {@code http-} and the name of the
   *     application ({@code spring.application.name}), or {@code http} if it has none, unless given
   */
  public record Idempotency(
      @DefaultValue("false") boolean enabled,
      @DefaultValue List<String> urlPatterns,
      @DefaultValue("false") boolean sharedKeys,
      @Nullable String scope) {}
}
