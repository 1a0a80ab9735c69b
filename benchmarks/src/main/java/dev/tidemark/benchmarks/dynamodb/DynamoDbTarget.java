package dev.tidemark.benchmarks.dynamodb;

import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.benchmarks.growth.Target;
import dev.tidemark.benchmarks.measure.Store;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import java.time.Clock;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * Items that grow in DynamoDB Local.
 *
 * @param dynamoDb a store that asks for units
 */
public record DynamoDbTarget(DynamoDbStore dynamoDb) implements Target {
  /** An item takes 400 KB, names and the other attributes included. */
  private static final int IDS_OF_400_KB = 10_900;

  @Override
  public Store store() {
    return dynamoDb;
  }

  @Override
  public EntityStore<?> open(Tracking tracking, Clock clock) {
    return DynamoDbEntityStore.builder(
            dynamoDb.client(), Tables.ORDERS, TableSchema.fromBean(Order.class))
        .tracking(tracking)
        .clock(clock)
        .build();
  }

  @Override
  public Watch watch() {
    return () -> 0;
  }

  @Override
  public int idsThatFit() {
    return IDS_OF_400_KB;
  }
}
