package dev.tidemark.example.orderhistory;

import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import org.bson.codecs.pojo.annotations.BsonId;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/**
 * What one consumer spent in one month. Mutable, as both mappers want it; for one thread.
 *
 * <p>A row gets a few events of each of many orders; a mark for each order would outgrow it, so it
 * keeps the ids of events, for longer than any carrier keeps the events.
 */
@DynamoDbBean
@Tracked(messageIds = @MessageIds(keptFor = "P30D", compact = true))
public final class SpendingView {
  private String id = "";
  private long orders;
  private long spent;
  private long tips;
  private long refunded;

  /** Consumer and month, such as {@code consumer-7/2026-11}. */
  @BsonId
  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  /** How many orders were placed. */
  public long getOrders() {
    return orders;
  }

  public void setOrders(long orders) {
    this.orders = orders;
  }

  /** What the orders came to, without tips, in cents. */
  public long getSpent() {
    return spent;
  }

  public void setSpent(long spent) {
    this.spent = spent;
  }

  /** What was given as tips, in cents. */
  public long getTips() {
    return tips;
  }

  public void setTips(long tips) {
    this.tips = tips;
  }

  /** What was paid back, in cents. */
  public long getRefunded() {
    return refunded;
  }

  public void setRefunded(long refunded) {
    this.refunded = refunded;
  }
}
