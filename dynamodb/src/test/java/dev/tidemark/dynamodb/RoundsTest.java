package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Turns of one call")
final class RoundsTest {
  private static final int MANY = 5_000;

  /** What a round waits for: nothing, or another thread. */
  static Stream<Function<Integer, CompletableFuture<Integer>>> clients() {
    return Stream.of(
        CompletableFuture::completedFuture, count -> CompletableFuture.supplyAsync(() -> count));
  }

  @ParameterizedTest
  @MethodSource("clients")
  @DisplayName("however many there are, the stack does not grow")
  void many(Function<Integer, CompletableFuture<Integer>> client) {
    AtomicInteger rounds = new AtomicInteger();
    Transport.loop(() -> client.apply(rounds.incrementAndGet()).thenApply(done -> done < MANY))
        .join();
    assertEquals(MANY, rounds.get());
  }

  @ParameterizedTest
  @MethodSource("clients")
  @DisplayName("a fault of a later round is the fault of all")
  void faults(Function<Integer, CompletableFuture<Integer>> client) {
    IllegalStateException fault = new IllegalStateException("a fault");
    AtomicInteger rounds = new AtomicInteger();
    CompletableFuture<Void> all =
        Transport.loop(
            () -> {
              if (rounds.incrementAndGet() == 3) {
                throw fault;
              }
              return client.apply(rounds.get()).thenApply(done -> true);
            });
    assertSame(fault, assertThrows(CompletionException.class, all::join).getCause());
  }
}
