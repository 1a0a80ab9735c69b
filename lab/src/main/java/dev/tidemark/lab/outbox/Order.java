package dev.tidemark.lab.outbox;

import org.bson.codecs.pojo.annotations.BsonId;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/**
 * An order that publishes what happens to it, or a consumer's view of one: how often it was
 * changed, and to what all changes add up. Mutable, as both mappers want it; for one thread.
 */
@DynamoDbBean
public final class Order {
  private String id = "";
  private long times;
  private long cents;

  /** The key. */
  @BsonId
  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  /** How many changes there were. */
  public long getTimes() {
    return times;
  }

  public void setTimes(long times) {
    this.times = times;
  }

  /** The sum of all changes. */
  public long getCents() {
    return cents;
  }

  public void setCents(long cents) {
    this.cents = cents;
  }

  /** One more change. */
  Order changed(long by) {
    times++;
    cents += by;
    return this;
  }
}
