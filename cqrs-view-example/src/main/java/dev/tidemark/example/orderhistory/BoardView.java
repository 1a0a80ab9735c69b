package dev.tidemark.example.orderhistory;

import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import java.util.Map;
import java.util.Optional;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;

/**
 * How many orders of one restaurant stand in each status. For one thread.
 *
 * <p>A row keeps the IDs of a day's messages: longer than a relay or a carrier takes to send one
 * again. Messages come in any order, so a count may be below zero until those that it lacks have
 * come.
 */
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

  @BsonId public String restaurant = "";
  public long created;
  public long accepted;
  public long ready;
  public long courierAssigned;
  public long pickedUp;
  public long delivered;
  public long cancelled;

  /**
   * The property that counts the orders in a status.
   *
   * @param status such as {@code PICKED_UP}
   * @return such as {@code pickedUp}; empty if orders have no such status
   */
  static Optional<String> column(@Nullable String status) {
    return Optional.ofNullable(status).map(COLUMNS::get);
  }
}
