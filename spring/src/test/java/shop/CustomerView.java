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
  private String last = ""; // what happened last
  private Instant lastAt = Instant.EPOCH;

  CustomerView placed(OrderEvent.Placed event) {
    orders++;
    cents = Math.addExact(cents, event.cents());
    return happened("PLACED", event.at());
  }

  CustomerView cancelled(OrderEvent.Cancelled event) {
    return happened("CANCELLED", event.at());
  }

  private CustomerView happened(String what, Instant at) {
    if (!at.isBefore(lastAt)) { // else what happened later came first
      last = what;
      lastAt = at;
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

  public String getLast() {
    return last;
  }

  public void setLast(String last) {
    this.last = last;
  }

  public Instant getLastAt() {
    return lastAt;
  }

  public void setLastAt(Instant lastAt) {
    this.lastAt = lastAt;
  }
}
// end
