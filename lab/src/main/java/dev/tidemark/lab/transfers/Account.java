package dev.tidemark.lab.transfers;

import org.bson.codecs.pojo.annotations.BsonId;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/**
 * An account, or the entry of one transfer: what it has come to, and how often it was changed.
 * Mutable, as both mappers want it; for one thread.
 */
@DynamoDbBean
public final class Account {
  private String id = "";
  private long cents;
  private long times;

  /** The key. */
  @BsonId
  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  /** The sum of all changes. */
  public long getCents() {
    return cents;
  }

  public void setCents(long cents) {
    this.cents = cents;
  }

  /** How many changes there were. */
  public long getTimes() {
    return times;
  }

  public void setTimes(long times) {
    this.times = times;
  }

  /** One more change. */
  Account changed(long by) {
    cents += by;
    times++;
    return this;
  }
}
