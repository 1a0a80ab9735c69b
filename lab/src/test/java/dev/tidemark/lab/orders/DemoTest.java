package dev.tidemark.lab.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A small demonstration")
class DemoTest {
  private static final int ORDERS = 40;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  @DisplayName("ends with every row right under a guard, and wrong ones without, on both stores")
  void bothStores(@TempDir Path folder) throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    Options options = Options.of("--orders", "" + ORDERS, "--seed", "5");
    Proof proof = new Proof(options, Duration.ZERO, 1, out, Clock.systemUTC());
    List<ProofResult> results = proof.run(folder);
    proof.report(results);
    String text = written.toString(StandardCharsets.UTF_8);

    assertEquals(6, results.size(), text);
    long events = new OrderLives(5, Clock.systemUTC()).events(ORDERS).size();
    for (ProofResult result : results) {
      assertTrue(result.asPromised(), text);
      assertTrue(text.contains(result.line()), text);
      assertTrue(result.tally().deliveries() > events * 1.2, text);
      assertTrue(result.requests() > 0, text);
      if (result.technique().isGuarded()) {
        assertEquals(events, result.tally().applied(), text);
        assertEquals(0, result.tally().others(), text);
      }
    }
  }
}
