package dev.tidemark.example.orderhistory;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tidemark.projector.Delivery;
import java.time.Instant;

/** What carriers bring: events for the views of orders, or changes of statuses for the board. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface Incoming permits Event, OrderStatusChanged {
  /**
   * When it happened.
   *
   * @return by the producer's clock
   */
  Instant at();

  /**
   * The delivery of it, by an identity that is the same whatever carries it.
   *
   * @return a delivery in no lane
   */
  Delivery delivery();
}
