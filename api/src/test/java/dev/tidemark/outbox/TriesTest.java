package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The tries of a message")
class TriesTest {
  @Test
  @DisplayName("are stored as one number, of which an earlier version reads all and leaves none")
  void stored() {
    Tries tries = Tries.of(12).andOne(true).andOne(false);
    assertEquals(new Tries(14, 1), tries);
    assertEquals(tries, Tries.of(tries.stored()));
    assertEquals(14, (int) tries.stored(), "as an earlier version reads it");
    assertEquals(15, new Tries(15, 0).stored(), "as an earlier version writes it");
  }

  @Test
  @DisplayName("are within bounds, whatever is stored")
  void hostile() {
    assertEquals(new Tries(0, 0), Tries.of(-1));
    assertEquals(new Tries(0, 0), Tries.of(Long.MIN_VALUE));
    assertEquals(new Tries(7, 0), Tries.of((-3L << 32) + 7));
    assertEquals(new Tries(7, 7), Tries.of((9L << 32) + 7));
    Tries most = Tries.of(Long.MAX_VALUE >> 1);
    assertEquals(most.andOne(true), Tries.of(most.stored()).andOne(true));
  }
}
