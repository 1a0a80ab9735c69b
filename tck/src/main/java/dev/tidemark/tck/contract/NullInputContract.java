package dev.tidemark.tck.contract;

import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@Contract(Law.OUTCOMES)
@DisplayName("What a caller leaves out of a call is refused by name")
final class NullInputContract {
  private final EntityStore<View> store;

  NullInputContract(Backend backend) {
    this.store = new Scene(backend).store();
  }

  /** What a caller without null checks may pass for anything. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T none() {
    @Nullable T nothing = null;
    return nothing;
  }

  private static void refused(String what, Executable use) {
    String message = String.valueOf(assertThrows(IllegalArgumentException.class, use).getMessage());
    assertTrue(message.contains(what + " must not be null"), message);
  }

  @Test
  @DisplayName("a write, a batch, a write in it, a key to find and what to wait for")
  void calls() {
    refused("write", () -> store.write(none()));
    refused("writes of a batch", () -> store.writeAll(none()));
    refused(
        "write 1 of the batch",
        () -> store.writeAll(Arrays.asList(Write.skip(Some.id(), Some.key()), none())));
    refused("key to find", () -> store.find(none()));
    refused("key to find", () -> store.find(none(), notBefore(Some.id())));
    refused("notBefore", () -> store.find(Some.key(), none()));
  }
}
