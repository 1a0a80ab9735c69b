package dev.tidemark.example.orderhistory;

import dev.tidemark.example.orderhistory.DeliveryEvent.CourierAssigned;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an event must have so that both stores can keep what it says. An event that lacks it can
 * never be handled, so it is a dead letter as soon as it is read: later it would block all events
 * that follow it. By hand, since functions check events too: a Bean Validation provider would be
 * four more jars in their package, and reflection at each cold start.
 */
final class EventCheck {
  /** No amount is more, in cents: sums of millions of events still fit a long. */
  private static final long MOST_CENTS = 1_000_000_000_000L;

  private static final Pattern TEXT = Pattern.compile("[^\\p{Cntrl}]{1,200}");

  /** Times that are written with four digits of a year, so that later ones sort behind. */
  private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private EventCheck() {}

  /**
   * Checks an event.
   *
   * @param event as it was read, null in any place
   * @return the event
   * @throws IllegalArgumentException names the field that is wrong, without its value
   */
  static Incoming checked(@Nullable Incoming event) {
    if (event == null || event.at() == null) {
      throw new IllegalArgumentException("not an event: it lacks its place or its time");
    }
    require(!event.at().isBefore(FIRST) && !event.at().isAfter(LAST), "at must be in 1970 to 9999");
    if (event instanceof Event of) {
      check(of);
    } else if (event instanceof OrderStatusChanged change) {
      check(change);
    }
    return event;
  }

  private static void check(OrderStatusChanged change) {
    text("eventId", change.eventId());
    text("orderId", change.orderId());
    text("restaurant", change.restaurant());
    status("from", change.from());
    status("to", change.to());
  }

  private static void status(String name, @Nullable String status) {
    require(
        status == null || BoardView.column(status).isPresent(),
        name + " must be a status of orders, or missing");
  }

  private static void check(Event event) {
    require(event.version() >= 1, "it lacks its place or its time");
    text("eventId", event.eventId());
    text("orderId", event.orderId());
    text("the aggregate's id", event.aggregateId());
    if (event instanceof OrderEvent order) {
      text("consumerId", order.consumerId());
    }
    if (event instanceof OrderCreated order) {
      text("restaurant", order.restaurant());
      order.lines().forEach(EventCheck::line);
    } else if (event instanceof TipGiven tip) {
      cents("cents", tip.cents());
    } else if (event instanceof OrderCancelled cancelled) {
      cents("refund", cancelled.refund());
    } else if (event instanceof CourierAssigned assigned) {
      text("courier", assigned.courier());
    }
  }

  private static void line(OrderLine line) {
    text("a line's name", line.name());
    require(line.quantity() >= 1, "a line's quantity must be at least 1");
    cents("a line's cents", line.cents());
  }

  private static void cents(String name, long cents) {
    require(cents >= 0 && cents <= MOST_CENTS, name + " must be 0 to " + MOST_CENTS);
  }

  /** Whether a text fits a key of any index. */
  static boolean isText(@Nullable String text) {
    return text != null && TEXT.matcher(text).matches();
  }

  private static void text(String name, @Nullable String text) {
    require(isText(text), name + " must have 1 to 200 characters, none of them control");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException("not an event: " + what);
    }
  }
}
