package dev.tidemark.example.orderhistory.host;

import dev.tidemark.SourceEvent;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.PageToken;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of requests; an empty one counts as missing. */
final class Parameters {
  private static final int DEFAULT_LIMIT = 20;
  private static final Pattern ID = Pattern.compile("[^\\p{Cntrl}]{1,200}");
  private static final Pattern STATUS = Pattern.compile("[A-Z_]{1,40}");
  private static final Pattern WORDS = Pattern.compile("[^\\p{Cntrl}]{0,100}");
  private static final Pattern PLACE =
      Pattern.compile("(Order|Ticket|Delivery)/([^\\p{Cntrl}]{1,200})/([1-9][0-9]{0,17})");

  private Parameters() {}

  static String id(String name, String value) {
    return matching(ID, name, value, "must have 1 to 200 characters, none of them control");
  }

  static OrderFilter filter(
      @Nullable String since, @Nullable String status, @Nullable String keyword) {
    return new OrderFilter(
        since != null && !since.isEmpty() ? since("since", since) : null,
        status != null && !status.isEmpty()
            ? matching(STATUS, "status", status, "must be a status, such as DELIVERED")
            : null,
        keyword != null
            ? matching(
                WORDS, "keyword", keyword, "must have at most 100 characters, none of them control")
            : null);
  }

  private static Instant since(String name, String value) {
    try {
      return value.indexOf('T') < 0
          ? LocalDate.parse(value).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(value);
    } catch (DateTimeException e) {
      throw new BadParameter(
          name, value, "must be a time or a day, such as 2026-11-21T20:30:00Z or 2026-11-21");
    }
  }

  static int limit(@Nullable String value) {
    if (value == null || value.isEmpty()) {
      return DEFAULT_LIMIT;
    }
    try {
      int limit = Integer.parseInt(value);
      if (limit >= 1 && limit <= OrderQueries.MAX_LIMIT) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // Told below, as a number out of range is.
    }
    throw new BadParameter("limit", value, "must be 1 to " + OrderQueries.MAX_LIMIT);
  }

  static @Nullable String pageToken(@Nullable String value, OrderFilter filter) {
    if (value == null || value.isEmpty()) {
      return null;
    }
    try {
      PageToken token = PageToken.parse(value);
      if (token != null && token.isIn(filter)) {
        return value;
      }
    } catch (IllegalArgumentException e) {
      // Told below, as a token of another list is.
    }
    throw new BadParameter("pageToken", value, "must be one that a page of this list gave");
  }

  static YearMonth month(@Nullable String value, YearMonth otherwise) {
    if (value == null || value.isEmpty()) {
      return otherwise;
    }
    try {
      return YearMonth.parse(value);
    } catch (DateTimeException e) {
      throw new BadParameter("month", value, "must be a month, such as 2026-11");
    }
  }

  /** The event that an answer must have seen, by its place in its aggregate. */
  static SourceEvent place(String value) {
    var place = PLACE.matcher(value);
    if (!place.matches()) {
      throw new BadParameter(
          "notBefore",
          value,
          "must be Order, Ticket or Delivery, an id and a version, such as Order/7/3");
    }
    return SourceEvent.of(place.group(1), place.group(2), Long.parseLong(place.group(3)));
  }

  private static String matching(Pattern pattern, String name, String value, String rule) {
    if (!pattern.matcher(value).matches()) {
      throw new BadParameter(name, value, rule);
    }
    return value;
  }
}
