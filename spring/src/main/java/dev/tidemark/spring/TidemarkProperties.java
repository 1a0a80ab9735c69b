package dev.tidemark.spring;

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
 */
@ConfigurationProperties("tidemark")
public record TidemarkProperties(
    @DefaultValue Map<String, String> tables,
    @DefaultValue Map<String, Store> stores,
    @DefaultValue Mongodb mongodb) {
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
}
