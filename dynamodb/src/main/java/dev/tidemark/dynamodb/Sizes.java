package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Names;
import dev.tidemark.metrics.MarkCost;
import dev.tidemark.metrics.StoreCall;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Sizes of items by the rules of <a
 * href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html">DynamoDB
 * item sizes and formats</a>: names and strings as UTF-8, binaries as they are, a byte for two
 * digits of a number and one more, a byte for a boolean or null, three for a list or map and one
 * more for each of its elements.
 */
final class Sizes {
  /** 400 KB, names included. */
  static final long LIMIT = 400 * 1024L;

  private static final int COLLECTION = 3;
  private static final int ELEMENT = 1;

  private Sizes() {}

  static StoreCall.Size of(Map<String, AttributeValue> item, Names names) {
    long all = 0;
    long marks = 0;
    for (Map.Entry<String, AttributeValue> attribute : item.entrySet()) {
      long bytes = text(attribute.getKey()) + value(attribute.getValue());
      all += bytes;
      marks += names.owns(attribute.getKey()) ? bytes : 0;
    }
    return new StoreCall.Size(all, LIMIT, MarkCost.billed(all, marks));
  }

  private static long value(AttributeValue value) {
    return switch (value.type()) {
      case S -> text(value.s());
      case N -> number(value.n());
      case B -> value.b().asByteArrayUnsafe().length;
      case SS -> value.ss().stream().mapToLong(Sizes::text).sum();
      case NS -> value.ns().stream().mapToLong(Sizes::number).sum();
      case BS -> value.bs().stream().mapToLong(bytes -> bytes.asByteArrayUnsafe().length).sum();
      case L -> list(value.l());
      case M -> map(value.m());
      default -> 1; // BOOL, NULL
    };
  }

  private static long list(List<AttributeValue> elements) {
    return COLLECTION + elements.stream().mapToLong(element -> ELEMENT + value(element)).sum();
  }

  private static long map(Map<String, AttributeValue> members) {
    return COLLECTION
        + members.entrySet().stream()
            .mapToLong(member -> ELEMENT + text(member.getKey()) + value(member.getValue()))
            .sum();
  }

  /** Zeros at both ends are not stored; a sign takes another byte. */
  private static long number(String digits) {
    BigDecimal number = new BigDecimal(digits).stripTrailingZeros();
    long sign = number.signum() < 0 ? 1 : 0;
    return (number.precision() + 1L) / 2 + 1 + sign;
  }

  private static long text(String text) {
    boolean ascii = text.chars().allMatch(c -> c < 0x80);
    return ascii ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
