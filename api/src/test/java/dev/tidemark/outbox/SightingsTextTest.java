package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The text of what a cluster has seen")
class SightingsTextTest {
  private static final int BYTES = 64_000;

  private static SightingsText again(SightingsText text) {
    return SightingsText.of(text.toText());
  }

  @Test
  @DisplayName("says the same after it was stored, for any messages, times and places")
  void roundTrip() {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      SightingsText text = new SightingsText();
      text.next = random.nextBoolean() ? Long.MIN_VALUE : random.nextLong();
      long[] hashes = random.longs(random.nextInt(50)).toArray();
      for (long hash : hashes) {
        assertTrue(text.put(hash, random.nextInt(5), 1_000));
      }
      assertTrue(text.look(random.nextInt(100), 80));
      boolean isTried = hashes.length > 0 && random.nextBoolean();
      assertEquals(isTried, text.tried(isTried ? hashes[0] : 0));
      SightingsText read = again(text);
      assertEquals(isTried, read.hasRoom(0));
      assertEquals(text.next, read.next);
      assertEquals(text.looks, read.looks);
      for (long hash : hashes) {
        assertEquals(text.since(hash), read.since(hash));
      }
      assertFalse(again(read).endCycle(), "all were there");
    }
  }

  @Test
  @DisplayName("forgets what was not there in a whole look, though relays begin anew in its middle")
  void cycles() {
    SightingsText text = new SightingsText();
    assertTrue(text.put(1, 10, 100));
    assertTrue(text.put(2, 20, 100));
    assertFalse(text.endCycle());
    text.note(1);
    SightingsText read = again(text);
    assertTrue(read.endCycle());
    assertEquals(10, read.since(1));
    assertNull(read.since(2));
  }

  @Test
  @DisplayName("takes no more than it has room for, and fits into its bytes even so")
  void room() {
    int room = SightingsText.room(BYTES);
    SightingsText text = new SightingsText();
    Random random = new Random(6);
    for (int message = 0; message < room; message++) {
      assertTrue(text.put(random.nextLong(), 1_800_000_000_000L + message / 20, room));
    }
    assertFalse(text.put(7, 1, room));
    assertNull(text.since(7));
    assertTrue(text.toText().length() < BYTES, () -> text.toText().length() + " characters");
  }

  @Test
  @DisplayName("keeps few looks, each some time behind the one before, and none of the future")
  void looks() {
    SightingsText text = new SightingsText();
    for (long now = 0; now < 100_000; now += 10) {
      assertEquals(now % 1_000 == 0, text.look(now, 8_000));
    }
    assertTrue(text.looks.size() <= 20 && text.looks.size() > 8);
    assertTrue(text.looks.last() - text.looks.first() >= 8_000);
    assertTrue(text.look(10, 8_000), "the clock has gone back");
    assertEquals(10, text.looks.first());
    assertTrue(text.looks.last() <= 10 + 8_000);
  }

  @Test
  @DisplayName("says nothing where it is none")
  void rubbish() {
    SightingsText text = new SightingsText();
    assertTrue(text.put(1, 10, 100));
    String sound = text.toText();
    for (int cut = 0; cut < sound.length(); cut++) {
      SightingsText read = SightingsText.of(sound.substring(0, cut));
      assertTrue(read.since(1) == null || read.since(1) == 10);
    }
    for (String rubbish :
        new String[] {"", "\"", "{}", "\"2;0;\"", "\"1;x!;\"", "\"1;0;;+a\"", "1"}) {
      SightingsText read = SightingsText.of(rubbish);
      assertEquals(Long.MIN_VALUE, read.next);
      assertNull(read.since(1));
    }
    assertNull(SightingsText.of(null).since(1));
  }
}
