package dev.tidemark;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.kernel.Evaluator;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        BigInteger.TEN.pow(38).add(BigInteger.ONE),
        new Digits("1E+2147483647"));
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

  /** A number as an SDK or a driver has them, which is no class of Java. */
  private static final class Digits extends Number {
    private static final long serialVersionUID = 1;
    private final String text;

    Digits(String text) {
      this.text = text;
    }

    @Override
    public int intValue() {
      return (int) doubleValue();
    }

    @Override
    public long longValue() {
      return (long) doubleValue();
    }

    @Override
    public float floatValue() {
      return (float) doubleValue();
    }

    @Override
    public double doubleValue() {
      return Double.parseDouble(text);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.75", "-0.1", "18446744073709551617", "1E+30", "2.50", "3", "-0"})
  @DisplayName("a number of any class counts as what its text says")
  void exact(String text) {
    BigDecimal exact = new BigDecimal(text);
    Digits digits = new Digits(text);
    assertEquals(EntityKey.key(exact), EntityKey.key(digits));
    assertEquals(EntityKey.key("a", exact), EntityKey.key("a", digits));
    assertEquals(
        EntityKey.key("a").routedBy("zone", exact), EntityKey.key("a").routedBy("zone", digits));
    assertEquals(0, exact.compareTo(Evaluator.exact(digits)));
    assertTrue(Evaluator.test(attribute("price").is(digits), Map.of("price", exact)));
    assertFalse(Evaluator.test(attribute("price").lessThan(digits), Map.of("price", exact)));
    assertEquals(
        1, change().addToSet("prices", exact, digits).operations().get(0).elements().size());
  }

  @Test
  @DisplayName("whole numbers of Java's that count are the whole number that they have")
  void counting() {
    LongAdder adder = new LongAdder();
    adder.add(Long.MAX_VALUE);
    for (Number number : List.of(new AtomicInteger(7), new AtomicLong(7), (short) 7, (byte) 7)) {
      assertEquals(EntityKey.key(7), EntityKey.key(number));
    }
    assertEquals(EntityKey.key(Long.MAX_VALUE), EntityKey.key(adder));
  }

  @Test
  @DisplayName("a number whose text is none is refused by its class where it has to be exact")
  void unclear() {
    Digits price = new Digits("5 EUR");
    for (Executable use :
        List.<Executable>of(
            () -> EntityKey.key(price),
            () -> EntityKey.key("a").routedBy("zone", price),
            () -> change().add("total", price),
            () -> change().add("total", new Digits("NaN")))) {
      IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, use);
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains(Digits.class.getName()), message);
      assertFalse(message.contains("EUR"), message);
    }
    assertEquals(price, change().set("price", price).operations().get(0).value());
    DoubleAdder sum = new DoubleAdder();
    sum.add(0.1);
    assertThrows(IllegalArgumentException.class, () -> EntityKey.key(sum));
    sum.add(Double.NaN);
    assertThrows(IllegalArgumentException.class, () -> change().set("price", sum));
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
