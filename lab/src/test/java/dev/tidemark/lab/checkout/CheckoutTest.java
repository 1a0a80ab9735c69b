package dev.tidemark.lab.checkout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.lab.command.StoreOption;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Checkouts while their service is killed")
class CheckoutTest {
  private static final Settings SMALL = new Settings(60, 2, 7);

  @ParameterizedTest
  @EnumSource
  @DisplayName("charge every key once, and end every one")
  void holds(StoreOption store) throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    CheckoutResult result = CheckoutCommand.run(store, SMALL, out);
    assertTrue(result.holds(), () -> result.line() + "\n" + written);
    assertTrue(result.points() > 0, () -> result.line() + "\n" + written);
    System.out.println(result.line());
  }

  private static Order order(String... receipts) {
    Order order = new Order("k", 1, false);
    for (String receipt : receipts) {
      order.told(receipt.replace("ID", order.id()));
    }
    return order;
  }

  private static Set<String> wrong(Order order, int charges, boolean isOver) {
    Map<String, Integer> effects = charges == 0 ? Map.of() : Map.of(order.id(), charges);
    return Audit.wrong(List.of(order), effects, isOver);
  }

  @Test
  @DisplayName("are wrong where an order is charged twice, or has a receipt and no charge")
  void audit() {
    String receipt = "{\"orderId\":\"ID\",\"charge\":\"c1\"}";
    assertEquals(Set.of(), wrong(order(receipt, receipt), 1, true));
    assertEquals(Set.of(), wrong(order(), 0, false));
    assertEquals(Set.of("k"), wrong(order(), 0, true));
    assertEquals(Set.of("k"), wrong(order(receipt), 0, false));
    assertEquals(Set.of("k"), wrong(order(receipt), 2, false));
    assertEquals(Set.of("k"), wrong(order(receipt, receipt.replace("c1", "c2")), 1, true));
    assertEquals(Set.of("k"), wrong(order(receipt.replace("ID", "other")), 1, true));
    assertEquals(Set.of("other"), Audit.wrong(List.of(), Map.of("other", 1), false));
  }
}
