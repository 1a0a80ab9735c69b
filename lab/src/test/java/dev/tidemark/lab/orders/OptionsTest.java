package dev.tidemark.lab.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.lab.orders.Options.Mode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The demonstration's options")
class OptionsTest {
  private static final List<String> BOTH = List.of("dynamodb", "mongodb");

  @Test
  @DisplayName("are the short proof on both stores, if nothing is said")
  void defaults() {
    Options options = Options.of();
    assertEquals(Mode.PROOF, options.mode());
    assertEquals(1, options.seed());
    assertEquals(BOTH, options.stores());
  }

  @Test
  @DisplayName("are read with a space or an equals sign")
  void read() {
    Options options = Options.of("--seed", "9", "--orders=40", "--store", "mongodb");
    assertEquals(9, options.seed());
    assertEquals(40, options.orders());
    assertEquals(List.of("mongodb"), options.stores());
  }

  @Test
  @DisplayName("name one carrier without a fault")
  void carrier() {
    Options options = Options.of("--carrier", "fifo");
    assertEquals(Mode.CARRIER, options.mode());
    assertEquals(List.of("fifo"), options.carriers());
    assertEquals(List.of(Fault.NONE), options.faults());
  }

  @Test
  @DisplayName("are every carrier and every fault with 50 kills and outages of 20 s for --faults")
  void faults() {
    Options options = Options.of("--faults");
    assertEquals(Mode.FAULTS, options.mode());
    assertEquals(List.of("kafka", "sqs", "fifo", "lambda", "change-stream"), options.carriers());
    assertEquals(9, options.faults().size());
    assertEquals(50, options.kills());
    assertEquals(Duration.ofSeconds(20), options.outage());
  }

  @Test
  @DisplayName("choose carrier, fault, kills and outage of --faults")
  void chosen() {
    Options options =
        Options.of("--carrier=sqs", "--faults", "--fault", "kill", "--kills=2", "--outage", "3");
    assertEquals(List.of("sqs"), options.carriers());
    assertEquals(List.of(Fault.KILL), options.faults());
    assertEquals(2, options.kills());
    assertEquals(Duration.ofSeconds(3), options.outage());
  }

  @Test
  @DisplayName("are refused where they make no sense, by name and value")
  void refused() {
    for (String[] args :
        List.of(
            new String[] {"--sede=1"},
            new String[] {"--seed", "one"},
            new String[] {"--orders", "9"},
            new String[] {"--orders"},
            new String[] {"--store", "redis"},
            new String[] {"--carrier", "pigeon"},
            new String[] {"--kills", "3"},
            new String[] {"--faults", "--fault", "none"},
            new String[] {"--faults", "--fault", "flood"},
            new String[] {"--faults", "--kills", "0"},
            new String[] {"--faults", "--outage", "0"})) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> Options.of(args)).toString();
      String named = args[args[0].equals("--faults") ? 1 : 0].split("=", 2)[0];
      assertTrue(message.contains(named), message);
    }
  }
}
