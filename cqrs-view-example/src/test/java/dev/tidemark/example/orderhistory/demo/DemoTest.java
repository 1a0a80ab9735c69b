package dev.tidemark.example.orderhistory.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A small demonstration")
class DemoTest {
  private static final int ORDERS = 40;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @DisplayName(
      "ends with every tracked view right, and wrong ones without tracking, on both stores")
  void bothStores() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    Options options = Options.of("--orders", "" + ORDERS, "--seed", "5");
    Demo demo = new Demo(options, out, Clock.systemUTC());
    List<Result> results = demo.run();
    demo.report(results);
    String text = written.toString(StandardCharsets.UTF_8);

    assertEquals(2 * options.stores().size(), results.size(), text);
    long events = new OrderLives(5).events(ORDERS).size();
    for (Result result : results) {
      assertTrue(result.asPromised(), text);
      assertTrue(text.contains(result.line()), text);
      assertTrue(result.tally().deliveries() > events * 1.2, text);
      if (result.tracking()) {
        assertEquals(events, result.tally().of(Outcome.Applied.class), text);
        assertEquals(0, result.tally().others(), text);
      }
    }
  }
}
