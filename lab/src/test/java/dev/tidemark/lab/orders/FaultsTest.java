package dev.tidemark.lab.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Carriers under faults")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FaultsTest {
  private static final Options OPTIONS =
      Options.of("--faults", "--orders", "12", "--kills", "2", "--outage", "1", "--seed", "3");

  @TempDir private Path folder;

  private CellResult run(String carrier, String store, Fault fault, boolean tracked)
      throws Exception {
    try (Servers servers = new Servers(folder)) {
      return servers.run(new Cell(carrier, store, fault), OPTIONS, tracked, Clock.systemUTC());
    }
  }

  @Test
  @DisplayName("are right on DynamoDB after Kafka's consumers were killed")
  void killed() throws Exception {
    CellResult result = run("kafka", "dynamodb", Fault.KILL, true);
    assertTrue(result.holds(), result.toString());
    assertEquals(3, result.dead());
    int events = new OrderLives(3, Clock.systemUTC()).events(12).size();
    assertEquals(events, result.tally().applied());
    assertTrue(result.tally().deliveries() > events, result.tableRow());
    assertEquals(
        "carrier=kafka store=dynamodb fault=kill deliveries="
            + result.tally().deliveries()
            + " dead=3 wrong=0",
        result.line());
  }

  @Test
  @DisplayName("leave the poison of a queue, and nothing else, among the dead letters")
  void poison() throws Exception {
    CellResult result = run("sqs", "mongodb", Fault.POISON, true);
    assertTrue(result.holds(), result.toString());
    assertEquals(6, result.dead());
  }

  @Test
  @DisplayName("are not right without tracking: the comparison finds what was doubled")
  void untracked() throws Exception {
    CellResult result = run("fifo", "dynamodb", Fault.KILL, false);
    assertFalse(result.holds());
    assertEquals(List.of(), result.problems());
    assertFalse(result.wrong().isEmpty());
  }
}
