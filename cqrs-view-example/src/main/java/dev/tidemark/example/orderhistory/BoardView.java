package dev.tidemark.example.orderhistory;

import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import java.util.Map;
import java.util.Optional;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/**
 * How many orders of one restaurant stand in each status. Mutable, as both mappers want it; for one
 * thread.
 *
 * <p>A row keeps the IDs of a day's messages: longer than a relay or a carrier takes to send one
 * again. Messages come in any order, so a count may be below zero until those that it lacks have
 * come.
 */
@DynamoDbBean
@Tracked(messageIds = @MessageIds(keptFor = "P1D", compact = true))
public final class BoardView {
  private static final Map<String, String> COLUMNS =
      Map.of(
          "CREATED", "created",
          "ACCEPTED", "accepted",
          "READY", "ready",
          "COURIER_ASSIGNED", "courierAssigned",
          "PICKED_UP", "pickedUp",
          "DELIVERED", "delivered",
          "CANCELLED", "cancelled");

  private String restaurant = "";
  private long created;
  private long accepted;
  private long ready;
  private long courierAssigned;
  private long pickedUp;
  private long delivered;
  private long cancelled;

  /**
   * The property that counts the orders in a status.
   *
   * @param status such as {@code PICKED_UP}
   * @return such as {@code pickedUp}; empty if orders have no such status
   */
  static Optional<String> column(@Nullable String status) {
    return Optional.ofNullable(status).map(COLUMNS::get);
  }

  @BsonId
  @DynamoDbPartitionKey
  public String getRestaurant() {
    return restaurant;
  }

  public void setRestaurant(String restaurant) {
    this.restaurant = restaurant;
  }

  public long getCreated() {
    return created;
  }

  public void setCreated(long created) {
    this.created = created;
  }

  public long getAccepted() {
    return accepted;
  }

  public void setAccepted(long accepted) {
    this.accepted = accepted;
  }

  public long getReady() {
    return ready;
  }

  public void setReady(long ready) {
    this.ready = ready;
  }

  public long getCourierAssigned() {
    return courierAssigned;
  }

  public void setCourierAssigned(long courierAssigned) {
    this.courierAssigned = courierAssigned;
  }

  public long getPickedUp() {
    return pickedUp;
  }

  public void setPickedUp(long pickedUp) {
    this.pickedUp = pickedUp;
  }

  public long getDelivered() {
    return delivered;
  }

  public void setDelivered(long delivered) {
    this.delivered = delivered;
  }

  public long getCancelled() {
    return cancelled;
  }

  public void setCancelled(long cancelled) {
    this.cancelled = cancelled;
  }
}
