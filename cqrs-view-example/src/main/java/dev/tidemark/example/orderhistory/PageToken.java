package dev.tidemark.example.orderhistory;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/**
 * The last order of a page, from which the next one goes on.
 *
 * @param createdAt when it was placed
 * @param orderId which order
 */
public record PageToken(String createdAt, String orderId) {
  private static final int TIME_LENGTH = "2026-11-21T20:30:00.000Z".length();

  /**
   * The place of an order.
   *
   * @param order an order that is listed
   * @return its token
   */
  public static PageToken of(OrderView order) {
    return new PageToken(String.valueOf(order.createdAt), order.orderId);
  }

  /**
   * Reads a token.
   *
   * @param text what {@link #toString} wrote
   * @return the token
   * @throws IllegalArgumentException if it is no token
   */
  public static PageToken parse(String text) {
    String place = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    if (place.length() > TIME_LENGTH) {
      String createdAt = place.substring(0, TIME_LENGTH);
      String orderId = place.substring(TIME_LENGTH);
      if (isTime(createdAt) && EventCheck.isText(orderId)) {
        return new PageToken(createdAt, orderId);
      }
    }
    throw new IllegalArgumentException("not a token that a page gave");
  }

  private static boolean isTime(String text) {
    try {
      return OrderView.time(Instant.parse(text)).equals(text);
    } catch (DateTimeException e) {
      return false;
    }
  }

  /**
   * Whether a page of these orders can have ended here.
   *
   * @param filter which orders
   * @return false for an order that was placed before those that the filter lets through
   */
  public boolean isIn(OrderFilter filter) {
    return filter.since().map(since -> createdAt.compareTo(since) >= 0).orElse(true);
  }

  @Override
  public String toString() {
    byte[] place = (createdAt + orderId).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(place);
  }
}
