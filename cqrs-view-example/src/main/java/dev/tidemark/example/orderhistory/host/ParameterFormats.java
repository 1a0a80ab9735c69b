package dev.tidemark.example.orderhistory.host;

import dev.tidemark.SourceEvent;
import dev.tidemark.example.orderhistory.PageToken;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.format.FormatterRegistry;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** How parameters of requests are written. One that is empty counts as missing. */
@Component
final class ParameterFormats implements WebMvcConfigurer {
  private static final Pattern PLACE =
      Pattern.compile("(Order|Ticket|Delivery)/([^\\p{Cntrl}]{1,200})/([1-9][0-9]{0,17})");

  @Override
  public void addFormatters(FormatterRegistry registry) {
    add(
        registry,
        Instant.class,
        ParameterFormats::instant,
        "must be a time or a day, such as 2026-11-21T20:30:00Z or 2026-11-21");
    add(registry, YearMonth.class, YearMonth::parse, "must be a month, such as 2026-11");
    add(registry, PageToken.class, PageToken::parse, "must be one that a page of this list gave");
    add(
        registry,
        SourceEvent.class,
        ParameterFormats::place,
        "must be Order, Ticket or Delivery, an id and a version, such as Order/7/3");
  }

  private static <T> void add(
      FormatterRegistry registry, Class<T> type, Function<String, T> format, String rule) {
    registry.addFormatterForFieldType(
        type,
        (value, locale) -> value.toString(),
        (text, locale) -> {
          try {
            return format.apply(text);
          } catch (RuntimeException e) {
            throw new IllegalArgumentException(rule); // alone, for Problems to tell
          }
        });
  }

  private static Instant instant(String text) {
    return text.indexOf('T') < 0
        ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
        : Instant.parse(text);
  }

  private static SourceEvent place(String text) {
    Matcher place = PLACE.matcher(text);
    if (!place.matches()) {
      throw new IllegalArgumentException("not a place");
    }
    return SourceEvent.of(place.group(1), place.group(2), Long.parseLong(place.group(3)));
  }
}
