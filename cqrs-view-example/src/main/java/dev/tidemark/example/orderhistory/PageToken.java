package dev.tidemark.example.orderhistory;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

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
    return new PageToken(String.valueOf(order.getCreatedAt()), order.getOrderId());
  }

  /**
   * Reads a token.
   *
   * @param text what {@link #toString} wrote, or null
   * @return null for null
   * @throws IllegalArgumentException if it is no token
   */
  public static @Nullable PageToken parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String place;
    try {
      place = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("pageToken is not one that a page gave", e);
    }
    if (place.length() <= TIME_LENGTH || place.charAt(TIME_LENGTH - 1) != 'Z') {
      throw new IllegalArgumentException("pageToken is not one that a page gave");
    }
    return new PageToken(place.substring(0, TIME_LENGTH), place.substring(TIME_LENGTH));
  }

  @Override
  public String toString() {
    byte[] place = (createdAt + orderId).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(place);
  }
}
