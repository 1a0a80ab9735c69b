package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The log of a relay whose passes meet errors")
class ErrorLogTest {
  private static final String SECRET = "card 4111";

  private final RelayScene scene = new RelayScene();
  private final Relay relay = scene.relay();

  @AfterEach
  void end() {
    scene.close();
  }

  /** Makes a pass each second for some time. */
  private void pass(Duration time, boolean fails) {
    RuntimeException why = new IllegalStateException(SECRET, new ArithmeticException(SECRET));
    for (int i = 0; i < time.toSeconds(); i++) {
      scene.records.error = fails ? why : null;
      relay.sweep();
      scene.move(Duration.ofSeconds(1));
    }
  }

  private List<String> said() {
    return scene.log.said();
  }

  @Test
  @DisplayName("says at once what it met, and where the rest is, without the text of the error")
  void first() {
    pass(Duration.ofSeconds(1), true);
    assertEquals(1, said().size());
    String line = said().get(0);
    String classes = "java.lang.IllegalStateException, caused by java.lang.ArithmeticException";
    assertTrue(line.contains("The relay of rows met an error: " + classes + "."), line);
    assertTrue(line.contains("RelayPass.error()"), line);
    assertFalse(line.contains(SECRET), line);
  }

  @Test
  @DisplayName("says again at growing distance that it goes on, and for how many passes")
  void goesOn() {
    pass(Duration.ofHours(24), true);
    assertEquals(29, said().size(), "after 0, 1, 3, 7, 15, 31, 63 minutes, then each hour");
    assertTrue(
        said().get(1).contains("Since the last such line 59 other passes"), said()::toString);
  }

  @Test
  @DisplayName("is not filled by trouble that comes and goes")
  void comesAndGoes() {
    for (int i = 0; i < 600; i++) {
      pass(Duration.ofSeconds(1), true);
      pass(Duration.ofSeconds(1), false);
    }
    assertEquals(5, said().size(), said()::toString);
  }

  @Test
  @DisplayName("says new trouble at once after all was well for a while")
  void anew() {
    pass(Duration.ofSeconds(10), true);
    pass(Duration.ofMinutes(2), false);
    pass(Duration.ofSeconds(10), true);
    assertEquals(2, said().size());
    assertTrue(said().get(1).contains("line 0 other passes"), said()::toString);
  }
}
