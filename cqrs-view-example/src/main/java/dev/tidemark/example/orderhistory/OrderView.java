package dev.tidemark.example.orderhistory;

import dev.tidemark.Tracked;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import java.util.ArrayList;
import java.util.List;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/**
 * One order as a customer sees it: a row of the view. One class serves both stores, a bean for the
 * Enhanced Client and a POJO for MongoDB's driver. Mutable, as both mappers want it; for one
 * thread.
 */
@DynamoDbBean
@Tracked
public final class OrderView {
  private String orderId = "";
  private String customer = "";
  private String status = "";
  private List<OrderLine> lines = new ArrayList<>();
  private long total;
  private long paid;
  private long refunded;
  private @Nullable String parcel;
  private List<String> history = new ArrayList<>();

  OrderView placed(OrderPlaced event) {
    customer = event.customer();
    return step("PLACED");
  }

  OrderView lineAdded(LineAdded event) {
    lines.add(new OrderLine(event.sku(), event.quantity(), event.cents()));
    total += event.cents();
    return this;
  }

  OrderView cancelled(OrderCancelled event) {
    refunded += paid;
    paid = 0;
    return step("CANCELLED: " + event.reason());
  }

  private OrderView step(String reached) {
    status = reached.replaceFirst(":.*", "");
    history.add(reached);
    return this;
  }

  @BsonId
  @DynamoDbPartitionKey
  public String getOrderId() {
    return orderId;
  }

  public void setOrderId(String orderId) {
    this.orderId = orderId;
  }

  public String getCustomer() {
    return customer;
  }

  public void setCustomer(String customer) {
    this.customer = customer;
  }

  public String getStatus() {
    return status;
  }

  public void setStatus(String status) {
    this.status = status;
  }

  public List<OrderLine> getLines() {
    return lines;
  }

  public void setLines(List<OrderLine> lines) {
    this.lines = lines;
  }

  /** What all lines cost, in cents. */
  public long getTotal() {
    return total;
  }

  public void setTotal(long total) {
    this.total = total;
  }

  /** What was paid and not paid back, in cents. */
  public long getPaid() {
    return paid;
  }

  public void setPaid(long paid) {
    this.paid = paid;
  }

  /** What was paid back, in cents. */
  public long getRefunded() {
    return refunded;
  }

  public void setRefunded(long refunded) {
    this.refunded = refunded;
  }

  /** The carrier's number of the parcel, once it left. */
  public @Nullable String getParcel() {
    return parcel;
  }

  public void setParcel(@Nullable String parcel) {
    this.parcel = parcel;
  }

  /** The steps that the order took, in their order. */
  public List<String> getHistory() {
    return history;
  }

  public void setHistory(List<String> history) {
    this.history = history;
  }
}
