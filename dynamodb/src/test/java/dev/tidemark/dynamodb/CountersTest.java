package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.ImmutableTableSchemaParams;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("An atomic counter counts the messages of a batch")
final class CountersTest {
  private static final DynamoDbClient CLIENT = DynamoDbTables.client();
  private static final TableSchema<Visit> SCHEMA =
      TableSchema.fromImmutableClass(
          ImmutableTableSchemaParams.builder(Visit.class).lookup(MethodHandles.lookup()).build());

  private final DynamoDbEntityStore<Visit> store =
      DynamoDbEntityStore.builder(CLIENT, DynamoDbTables.create(CLIENT, SCHEMA), SCHEMA)
          .tracking(Tracking.defaults())
          .build();

  /** Writes of one kind, alone and in batches over an entity that is missing and that is there. */
  private void same(BiFunction<Message, EntityKey, Write<Visit>> write) {
    EntityKey alone = EntityKey.key("alone " + UUID.randomUUID(), 1L);
    EntityKey batch = EntityKey.key("batch " + UUID.randomUUID(), 1L);
    for (int round = 0; round < 2; round++) {
      messages().forEach(message -> assertTrue(store.write(write.apply(message, alone)).isDone()));
      List<Write<Visit>> writes = messages().map(message -> write.apply(message, batch)).toList();
      store.writeAll(writes).forEach(result -> assertTrue(result.isDone(), result::toString));
      assertEquals(count(alone), count(batch), "round " + round);
    }
    assertEquals(9, count(batch)); // from 0 on, as the Enhanced Client does
  }

  private static Stream<Message> messages() {
    return IntStream.range(0, 5).mapToObj(i -> MessageId.of(UUID.randomUUID()));
  }

  private long count(EntityKey key) {
    Long count = store.find(key).orElseThrow().count();
    return count == null ? -1 : count;
  }

  @Test
  @DisplayName("of changes")
  void changes() {
    same((message, key) -> Write.update(message, key, change().createIfMissing().set("page", "p")));
  }

  @Test
  @DisplayName("of functions")
  void functions() {
    same(
        (message, key) ->
            Write.apply(
                message,
                key,
                () -> Visit.builder().build(),
                visit -> visit.toBuilder().page(visit.page() + "x").build()));
  }

  @Test
  @DisplayName("of updates in DynamoDB's words")
  void natives() {
    same(
        (message, key) ->
            Write.update(
                message,
                key,
                DynamoDbNativeUpdate.of("SET #p = :p")
                    .name("#p", "page")
                    .value(":p", "p")
                    .createIfMissing()));
  }

  /** A function that notes the counter that it finds; one of them refuses, and is recorded. */
  private static Write<Visit> noting(EntityKey key, int place, List<@Nullable Long> counts) {
    return Write.decide(
        MessageId.of(UUID.randomUUID()),
        key,
        () -> Visit.builder().build(),
        visit -> {
          counts.add(visit.count());
          return place == 2
              ? Decision.skip()
              : Decision.to(visit.toBuilder().page("p" + visit.count()).build());
        });
  }

  @Test
  @DisplayName("as each function of it finds them, and its outcome shows them")
  void found() {
    EntityKey alone = EntityKey.key("alone " + UUID.randomUUID(), 1L);
    EntityKey batch = EntityKey.key("batch " + UUID.randomUUID(), 1L);
    for (int round = 0; round < 2; round++) {
      List<@Nullable Long> one = new ArrayList<>();
      List<@Nullable Long> other = new ArrayList<>();
      List<@Nullable Long> shown = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        shown.add(store.write(noting(alone, i, one)).entity().orElseThrow().count());
      }
      List<Write<Visit>> writes =
          IntStream.range(0, 5).mapToObj(i -> noting(batch, i, other)).toList();
      List<@Nullable Long> together = new ArrayList<>();
      for (Result<Visit> result : store.writeAll(writes)) {
        together.add(result.outcomeIfJudged().orElseThrow().entity().orElseThrow().count());
      }
      assertEquals(one, other, "round " + round);
      assertEquals(shown, together, "round " + round);
      assertEquals(store.find(alone).orElseThrow().page(), store.find(batch).orElseThrow().page());
    }
  }
}
