package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Rounds of one call")
final class RoundsTest {
  private static final int MANY = 100_000;

  /** What a round waits for: nothing, or another thread. */
  static Stream<Function<Integer, CompletableFuture<Integer>>> clients() {
    return Stream.of(
        CompletableFuture::completedFuture, count -> CompletableFuture.supplyAsync(() -> count));
  }

  private static CompletableFuture<Integer> round(
      int count, Function<Integer, CompletableFuture<Integer>> client) {
    return client
        .apply(count)
        .thenCompose(
            done ->
                done == MANY
                    ? CompletableFuture.completedFuture(done)
                    : DynamoDbRounds.next(() -> round(done + 1, client)));
  }

  @ParameterizedTest
  @MethodSource("clients")
  @DisplayName("however many there are, the stack does not grow")
  void many(Function<Integer, CompletableFuture<Integer>> client) {
    assertEquals(MANY, DynamoDbRounds.run(() -> round(1, client)).join());
  }

  @ParameterizedTest
  @MethodSource("clients")
  @DisplayName("a fault of a later round is the fault of all")
  void faults(Function<Integer, CompletableFuture<Integer>> client) {
    IllegalStateException fault = new IllegalStateException("a fault");
    CompletableFuture<Integer> all =
        DynamoDbRounds.run(
            () ->
                client
                    .apply(1)
                    .thenCompose(
                        done ->
                            DynamoDbRounds.next(
                                () -> {
                                  throw fault;
                                })));
    assertSame(fault, assertThrows(CompletionException.class, all::join).getCause());
  }
}
