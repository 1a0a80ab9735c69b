package dev.tidemark;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Numbers of keys, changes and conditions")
class NumbersTest {
  /** Not a bound on speed: it only ends a test that would hang. */
  private static final Duration HANG = Duration.ofMinutes(1);

  static Stream<Number> immense() {
    return Stream.of(
        new BigDecimal("1E+2147483647"),
        new BigDecimal("-1E+100000000"),
        new BigDecimal("1E-100000000"),
        new BigDecimal("1E-2147483647"),
        new BigDecimal("0E-2147483647"),
        new BigDecimal("1E+6201"),
        new BigDecimal(BigInteger.TWO.pow(200), 70),
        BigInteger.ONE.shiftLeft(20_000_000),
        BigInteger.TEN.pow(38).add(BigInteger.ONE));
  }

  private static void refused(String name, Executable use) {
    IllegalArgumentException refused =
        assertTimeoutPreemptively(HANG, () -> assertThrows(IllegalArgumentException.class, use));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(name) && message.contains("38 digits"), message);
    assertTrue(message.length() < 300, message);
  }

  @ParameterizedTest(name = "number {index}")
  @MethodSource("immense")
  @DisplayName("a number that no store holds is refused by name before it is converted")
  void refusals(Number number) {
    refused("key", () -> EntityKey.key(number));
    refused("key", () -> EntityKey.key("a", number));
    refused("key", () -> new EntityKey(List.of(number), Map.of()));
    refused("routing field 'zone'", () -> EntityKey.key("a").routedBy("zone", number));
    refused("'total'", () -> change().set("total", number));
    refused("'total'", () -> change().setIfAbsent("total", number));
    refused("'total'", () -> change().add("total", number));
    refused("'lines'", () -> change().append("lines", 1, number));
    refused("'tags'", () -> change().addToSet("tags", number));
    refused("'tags'", () -> change().removeFromSet("tags", number));
    refused("'in.side'", () -> change().set("in.side", Map.of("a", List.of(number))));
    refused("'total'", () -> attribute("total").is(number));
    refused("'total'", () -> attribute("total").lessThan(number));
    refused("'total'", () -> attribute("total").in(1, number));
    refused("'tags'", () -> attribute("tags").contains(number));
    Path total = Path.of("total");
    refused("'total'", () -> new Condition.Test(total, Condition.Operator.EQUAL, number).not());
  }

  @Test
  @DisplayName("a position of too many digits is refused without writing them out")
  void positions() {
    BigInteger immense = BigInteger.ONE.shiftLeft(20_000_000);
    IllegalArgumentException refused =
        assertTimeoutPreemptively(
            HANG, () -> assertThrows(IllegalArgumentException.class, () -> Position.of(immense)));
    assertTrue(String.valueOf(refused.getMessage()).contains("34 digits"));
  }

  @Test
  @DisplayName("numbers that a store may hold are taken, with zeros at either end")
  void taken() {
    assertEquals(List.of(0L), EntityKey.key(new BigDecimal("0E+5000")).parts());
    assertEquals(List.of(1000L), EntityKey.key(new BigDecimal("1E+3")).parts());
    assertEquals(List.of(new BigDecimal("1E+125")), EntityKey.key(BigInteger.TEN.pow(125)).parts());
    BigDecimal padded = new BigDecimal("1.5" + "0".repeat(500));
    assertEquals(List.of(new BigDecimal("1.5")), EntityKey.key(padded).parts());
    assertEquals(1, change().add("total", new BigDecimal("-1E-6100")).operations().size());
    assertEquals(1, change().set("total", Double.MAX_VALUE).operations().size());
  }
}
