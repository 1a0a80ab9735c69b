package dev.tidemark.benchmarks.dynamodb;

import dev.tidemark.Tracked;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** The entity of all techniques: a row of a view, with two attributes that change. */
@Tracked
@DynamoDbBean
public class Order {
  private String id = "";
  private @Nullable String status;
  private @Nullable Long total;
  private @Nullable String customer;
  private @Nullable String address;

  /**
   * The key.
   *
   * @return the id
   */
  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  /**
   * Sets the key.
   *
   * @param id the id
   */
  public void setId(String id) {
    this.id = id;
  }

  /**
   * What the last event said.
   *
   * @return the status
   */
  public @Nullable String getStatus() {
    return status;
  }

  /**
   * Sets the status.
   *
   * @param status what an event says
   */
  public void setStatus(@Nullable String status) {
    this.status = status;
  }

  /**
   * The sum over all events.
   *
   * @return the total
   */
  public @Nullable Long getTotal() {
    return total;
  }

  /**
   * Sets the total.
   *
   * @param total the sum
   */
  public void setTotal(@Nullable Long total) {
    this.total = total;
  }

  /**
   * A part that does not change.
   *
   * @return the customer
   */
  public @Nullable String getCustomer() {
    return customer;
  }

  /**
   * Sets the customer.
   *
   * @param customer a name
   */
  public void setCustomer(@Nullable String customer) {
    this.customer = customer;
  }

  /**
   * A part that does not change.
   *
   * @return the address
   */
  public @Nullable String getAddress() {
    return address;
  }

  /**
   * Sets the address.
   *
   * @param address some lines
   */
  public void setAddress(@Nullable String address) {
    this.address = address;
  }
}
