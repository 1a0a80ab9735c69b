// snippet: start-dynamodb-entity
package shop;

import dev.tidemark.EventPolicy;
import dev.tidemark.Events;
import dev.tidemark.Tracked;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

@DynamoDbBean
@Tracked(events = @Events(EventPolicy.Kind.CONTIGUOUS)) // every event once, in order
public class Order {
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
}
// end
