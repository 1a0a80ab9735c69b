// snippet: spring-entity
package shop;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import java.time.Instant;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

@Tracked // message IDs are kept for 30 days
@InTable("customers")
@DynamoDbBean
public class CustomerView {
  private String id = "";
  private int orders;
  private long cents;
  private String status = ""; // of the last order
  private Instant statusAt = Instant.EPOCH;

  CustomerView placed(OrderEvent.Placed event) {
    orders++;
    cents += event.cents();
    return reached("PLACED", event.at());
  }

  CustomerView cancelled(OrderEvent.Cancelled event) {
    return reached("CANCELLED", event.at());
  }

  private CustomerView reached(String newStatus, Instant at) {
    if (at.isAfter(statusAt)) { // else what happened later came first
      status = newStatus;
      statusAt = at;
    }
    return this;
  }

  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  public int getOrders() {
    return orders;
  }

  public void setOrders(int orders) {
    this.orders = orders;
  }

  public long getCents() {
    return cents;
  }

  public void setCents(long cents) {
    this.cents = cents;
  }

  public String getStatus() {
    return status;
  }

  public void setStatus(String status) {
    this.status = status;
  }

  public Instant getStatusAt() {
    return statusAt;
  }

  public void setStatusAt(Instant statusAt) {
    this.statusAt = statusAt;
  }
}
// end
