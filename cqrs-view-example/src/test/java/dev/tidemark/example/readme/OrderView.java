package dev.tidemark.example.readme;

import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** The bean of docs/dynamodb.md. */
// snippet: dynamodb-bean
@DynamoDbBean
@Tracked(messageIds = @MessageIds(keptFor = "P14D"))
public class OrderView {
  private String id = "";
  private String status = "";
  private long total;

  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  // … status, total
  // end

  public String getStatus() {
    return status;
  }

  public void setStatus(String status) {
    this.status = status;
  }

  public long getTotal() {
    return total;
  }

  public void setTotal(long total) {
    this.total = total;
  }

  OrderView placed(OrderPlaced event) {
    status = "PLACED";
    total = event.total();
    return this;
  }

  OrderView paid(OrderPaid event) {
    status = "PAID";
    total += event.fee();
    return this;
  }

  record OrderPlaced(String orderId, long total) {}

  record OrderPaid(String orderId, long fee) {}

  record OrderViewed(String orderId) {}
}
