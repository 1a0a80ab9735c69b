package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.MARK_FIRST)
@DisplayName("Law 3: what is created is created whole, whatever the amounts")
final class WholeCreatesContract {
  private static final List<Long> AMOUNTS =
      List.of(
          Long.MIN_VALUE,
          -5_000_000_000_000_000_000L,
          Long.MIN_VALUE / 2 - 1,
          Long.MIN_VALUE / 2,
          -1L,
          0L,
          Long.MAX_VALUE / 2 + 1,
          Long.MAX_VALUE);

  private final EntityStore<View> store;

  WholeCreatesContract(Backend backend) {
    this.store = new Scene(backend).store();
  }

  private static Change creating(long amount) {
    return change().createIfMissing().add("total", amount).set("status", "PAID");
  }

  private static List<Message> messages() {
    return List.of(Some.id(), Some.event(7));
  }

  private void assertWhole(Message message, EntityKey key, long amount) {
    View view = store.find(key).orElseThrow();
    assertEquals(amount, view.getTotal(), () -> "total of " + amount);
    assertEquals("PAID", view.getStatus(), () -> "status beside " + amount);
    Expect.duplicate(store.update(message, key, creating(amount)));
  }

  @Test
  @DisplayName("by a single change: Applied, created, with all its attributes")
  void single() {
    for (long amount : AMOUNTS) {
      for (Message message : messages()) {
        EntityKey key = Some.key();
        boolean created = Expect.applied(store.update(message, key, creating(amount))).created();
        assertTrue(created, () -> "created by " + amount);
        assertWhole(message, key, amount);
      }
    }
  }

  @Test
  @DisplayName("by a batch: Applied, created, with all its attributes")
  void batch() {
    List<Write<View>> writes = new ArrayList<>();
    for (long amount : AMOUNTS) {
      messages().forEach(m -> writes.add(Write.update(m, Some.key(), creating(amount))));
    }
    List<Result<View>> results = store.writeAll(writes);
    for (int i = 0; i < writes.size(); i++) {
      assertEquals("Applied", Words.of(results.get(i)));
      Result.Judged<View> judged = (Result.Judged<View>) results.get(i);
      long amount = AMOUNTS.get(i / 2);
      assertTrue(Expect.applied(judged.outcome()).created(), () -> "created by " + amount);
      assertWhole(writes.get(i).message(), writes.get(i).key(), amount);
    }
  }

  @Test
  @DisplayName("by several messages of a batch: the first creates, and all of them are applied")
  void folded() {
    long amount = -5_000_000_000_000_000_000L;
    EntityKey key = Some.key();
    List<Message> messages = messages();
    List<Write<View>> writes =
        messages.stream().map(m -> Write.<View>update(m, key, creating(amount / 2))).toList();
    assertEquals(List.of("Applied", "Applied"), Words.of(store.writeAll(writes)));
    messages.forEach(message -> assertWhole(message, key, amount));
  }
}
