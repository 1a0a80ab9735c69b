// snippet: spring-entity
package shop;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

@Tracked // message IDs are kept for 30 days
@InTable("customers")
@DynamoDbBean
public class CustomerView {
  private String id = "";
  private int orders;
  private long cents;

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
}
// end
