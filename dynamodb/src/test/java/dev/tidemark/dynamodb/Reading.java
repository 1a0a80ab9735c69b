package dev.tidemark.dynamodb;

import java.math.BigDecimal;
import java.util.UUID;

/** An item under a UUID and a number. */
final class Reading {
  private UUID sensor = new UUID(0, 0);
  private BigDecimal at = BigDecimal.ZERO;
  private long total;

  UUID sensor() {
    return sensor;
  }

  void sensor(UUID value) {
    sensor = value;
  }

  BigDecimal at() {
    return at;
  }

  void at(BigDecimal value) {
    at = value;
  }

  Long total() {
    return total;
  }

  void total(Long value) {
    total = value;
  }

  Reading counted() {
    total++;
    return this;
  }
}
