package dev.tidemark.example.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Messages that were noted in a table of handled ones, by the transaction of their effect, in the
 * versions that lead to an inbox or to marks. Each message adds 1 to a total.
 */
abstract class HandledTableScene {
  final String orderId = UUID.randomUUID().toString();

  /** A row whose total is 0. */
  abstract void place();

  /** The old version; false where the table has the message. */
  abstract boolean old(String messageId);

  /** Whether the delivery is done; so below. */
  abstract boolean bothByInbox(String messageId);

  abstract boolean nextByInbox(String messageId);

  abstract boolean bothByMarks(String messageId);

  abstract boolean nextByMarks(String messageId);

  abstract long total();

  @BeforeEach
  final void begin() {
    place();
  }

  private static String message() {
    return UUID.randomUUID().toString();
  }

  private void migrate(Predicate<String> both, Predicate<String> next) {
    String first = message();
    assertTrue(old(first));
    assertTrue(both.test(first)); // in flight when the versions changed
    assertEquals(1, total());

    String second = message();
    assertTrue(both.test(second));
    assertTrue(both.test(second));
    assertFalse(old(second)); // a process of the version before
    assertTrue(next.test(second)); // and one of the version after
    assertEquals(2, total());

    String third = message();
    assertTrue(next.test(third));
    assertTrue(both.test(third)); // back again
    assertEquals(3, total());
    String fourth = message();
    assertTrue(both.test(fourth));
    assertFalse(old(fourth));
    assertEquals(4, total());

    assertTrue(next.test(first)); // before a retention is over: what the mistake costs
    assertTrue(old(third)); // and on the way back
    assertEquals(6, total());
  }

  @Test
  @DisplayName("to an inbox adds once, forth and back")
  void inbox() {
    migrate(this::bothByInbox, this::nextByInbox);
  }

  @Test
  @DisplayName("to marks adds once, forth and back")
  void marks() {
    migrate(this::bothByMarks, this::nextByMarks);
  }

  @Test
  @DisplayName("adds once where processes of two versions have a message at the same time")
  void atOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 1; round <= 10; round++) {
        String message = message();
        Predicate<String> both = round % 2 == 0 ? this::bothByInbox : this::bothByMarks;
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          calls.add(() -> old(message));
          calls.add(() -> both.test(message));
        }
        for (Future<Boolean> call : threads.invokeAll(calls)) {
          try {
            Boolean unused = call.get();
          } catch (ExecutionException e) {
            // in each other's way: the delivery comes again
          }
        }
        assertTrue(both.test(message));
        assertEquals(round, total());
      }
    } finally {
      threads.shutdown();
    }
  }
}
