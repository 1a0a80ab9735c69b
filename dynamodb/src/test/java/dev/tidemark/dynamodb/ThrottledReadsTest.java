package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.Revision;
import dev.tidemark.kernel.Run;
import dev.tidemark.tck.View;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("A batch of functions whose reads DynamoDB throttles")
final class ThrottledReadsTest {
  private static final int ENTITIES = 5;
  private static final int ATTEMPTS = 3;
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);

  private final DynamoDbFaults http = DynamoDbTables.faults();
  private final DynamoDbClient client =
      DynamoDbTables.client(http, new DynamoDbTables.Capacity(), ATTEMPTS);
  private final String table = DynamoDbTables.create(client, VIEWS);
  private final DynamoDbEntityStore<View> store = DynamoDbEntityStore.of(client, table, VIEWS);
  private final Mapping<View> mapping = new Mapping<>(VIEWS, Tracking.defaults(), true);
  private final Writes<View> writes = new Writes<>(table, mapping, false);

  @AfterEach
  void close() {
    client.close();
  }

  private List<Write<View>> functions() {
    List<Write<View>> functions = new ArrayList<>();
    for (int i = 0; i < ENTITIES; i++) {
      EntityKey key = EntityKey.key("e-" + UUID.randomUUID());
      MessageId first = MessageId.of(UUID.randomUUID());
      store.update(first, key, change().createIfMissing().add("total", 1));
      functions.add(Write.apply(MessageId.of(UUID.randomUUID()), key, NativeViews::counted));
      functions.add(Write.apply(MessageId.of(UUID.randomUUID()), key, NativeViews::counted));
    }
    return functions;
  }

  private static List<String> words(List<Result<View>> results) {
    return results.stream()
        .map(
            result ->
                result instanceof Result.Failed<View> failed
                    ? failed.fault().getClass().getSimpleName()
                    : ((Result.Judged<View>) result).outcome().getClass().getSimpleName())
        .toList();
  }

  private static List<String> all(String word) {
    return Collections.nCopies(2 * ENTITIES, word);
  }

  private void assertCount(long count, List<Write<View>> writes) {
    writes.forEach(write -> assertEquals(count, store.find(write.key()).orElseThrow().getTotal()));
  }

  @ParameterizedTest(name = "{0} attempts are refused")
  @ValueSource(ints = {1, ATTEMPTS, ATTEMPTS + 1, 2 * ATTEMPTS, 5 * ATTEMPTS + 2})
  @DisplayName("the read of all, and those of single items after it: all are done, once")
  void forAWhile(int refused) {
    List<Write<View>> functions = functions();
    http.throttleReads(refused);
    assertEquals(all("Applied"), words(store.writeAll(functions)));
    http.heal();
    assertCount(3, functions);
    assertEquals(all("Duplicate"), words(store.writeAll(functions)));
  }

  @Test
  @DisplayName("for too long: contention, and nothing is done")
  void forTooLong() {
    List<Write<View>> functions = functions();
    http.throttleReads(Integer.MAX_VALUE);
    int writes = http.writes();
    assertEquals(all("ContentionException"), words(store.writeAll(functions)));
    assertEquals(writes, http.writes(), "nothing was written");
    http.heal();
    assertCount(1, functions);
    assertEquals(all("Applied"), words(store.writeAll(functions)));
  }

  private Runner<View> runner(Write<View> write) {
    Tracking tracking = Tracking.defaults();
    return new Runner<>(
        writes,
        write.key(),
        new Run<>(
            List.of(write),
            tracking,
            Names.flat(tracking),
            Clock.systemUTC(),
            w -> w,
            new Recall(null, tracking, "orders"),
            Runner.PATIENCE.yielding(1)));
  }

  @Test
  @DisplayName("or the read of what refused a write of the Enhanced Client: it is made again")
  void resumed() {
    EntityKey key = EntityKey.key("e-" + UUID.randomUUID());
    Write<View> write =
        Write.update(
            MessageId.of(UUID.randomUUID()), key, change().createIfMissing().add("total", 1));
    assertTrue(store.write(write).isApplied());
    Runner<View> runner = runner(write);
    runner.resume(Revision.newToken(), Map.of(), false);
    http.throttleReads(ATTEMPTS);
    do {
      new Transport.Blocking(client).carry(runner).join();
    } while (runner.hasYielded());
    assertEquals(List.of("Duplicate"), words(runner.ended().results()));
  }

  @Test
  @DisplayName("and fewer entities are worked on at the same time")
  void pressure() {
    Pressure pressure = new Pressure(8, null);
    Transport transport =
        new Observed(
            new Transport.Blocking(client),
            null,
            pressure,
            mapping.keys(),
            Names.flat(Tracking.defaults()));
    List<Runner<View>> runners = functions().stream().map(this::runner).toList();
    http.throttleReads(ATTEMPTS);
    transport.carry(new Batches.Lookup<>(writes, runners)).join();
    assertEquals(4, pressure.limit(), "after the read of all");
    http.throttleReads(ATTEMPTS);
    transport.carry(runners.get(0)).join();
    assertEquals(2, pressure.limit(), "after the read of one");
    assertTrue(runners.get(0).hasYielded());
  }
}
