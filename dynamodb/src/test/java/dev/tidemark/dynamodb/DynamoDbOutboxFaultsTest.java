package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

@DisplayName("Outgoing messages of a DynamoDB table that does not answer as it should")
final class DynamoDbOutboxFaultsTest extends OutboxTableScene {
  @Test
  @DisplayName("are answered one by one where some statements are throttled or have no answer")
  void statements() {
    DynamoDbOutbox outbox = own();
    List<OutboxRecord> due = records(outbox, 4);
    List<OutboxChange> changes = due.stream().map(OutboxTableScene::takingAll).toList();
    List<BatchStatementErrorCodeEnum> codes =
        List.of(
            BatchStatementErrorCodeEnum.THROTTLING_ERROR,
            BatchStatementErrorCodeEnum.INTERNAL_SERVER_ERROR);
    edited.answers(
        answers -> {
          List<BatchStatementResponse> some = new ArrayList<>(answers.subList(0, 3));
          IntStream.range(0, 2).forEach(i -> some.set(i, error(codes.get(i))));
          return some;
        });
    List<Answer> answers = outbox.write(changes);
    assertInstanceOf(
        ContentionException.class, assertInstanceOf(Answer.Unsure.class, answers.get(0)).error());
    assertInstanceOf(Answer.Unsure.class, answers.get(1));
    assertEquals(new Answer.Written(true), answers.get(2));
    assertInstanceOf(Answer.Unsure.class, answers.get(3));
    edited.edit = reply -> reply;
    outbox.write(changes);
    assertTrue(isGone());
  }

  private static BatchStatementResponse error(BatchStatementErrorCodeEnum code) {
    return BatchStatementResponse.builder()
        .error(BatchStatementError.builder().code(code).build())
        .build();
  }

  @Test
  @DisplayName("are read where a refusal does not bring the item")
  void refusedWithoutItem() {
    DynamoDbOutbox outbox = own();
    OutboxRecord record = records(outbox, 1).get(0);
    edited.answers(answers -> List.of(error(BatchStatementErrorCodeEnum.CONDITIONAL_CHECK_FAILED)));
    Answer answer =
        outbox
            .write(List.of(new OutboxChange(record, Set.of(), Set.of(), Set.of(), 1, NOW + 9)))
            .get(0);
    Answer.Refused refused = assertInstanceOf(Answer.Refused.class, answer);
    assertEquals(1, Objects.requireNonNull(refused.found()).tries());
    edited.edit = reply -> reply;
    outbox.write(List.of(takingAll(record)));
    assertEquals(
        new Answer.Refused(null),
        outbox.write(List.of(new OutboxChange(record, Set.of(), Set.of(), Set.of(), 1, 0))).get(0));
  }

  @Test
  @DisplayName("are read where a refusal brings another record's item")
  void refusedWithOtherItem() {
    DynamoDbOutbox outbox = own();
    List<OutboxRecord> due = records(outbox, 2);
    OutboxRecord record = due.get(0);
    Map<String, AttributeValue> key = ((OutboxKey) due.get(1).key()).attributes();
    Map<String, AttributeValue> other = client.getItem(r -> r.tableName(table).key(key)).item();
    outbox.write(List.of(takingAll(record)));
    OutboxChange later = new OutboxChange(record, Set.of(), Set.of(), Set.of(), 1, NOW + 9);
    edited.answers(
        answers -> {
          BatchStatementError refused = Objects.requireNonNull(answers.get(0).error());
          assertEquals(BatchStatementErrorCodeEnum.CONDITIONAL_CHECK_FAILED, refused.code());
          BatchStatementError.Builder mixedUp = refused.toBuilder().item(other);
          return List.of(BatchStatementResponse.builder().error(mixedUp.build()).build());
        });
    int reads = http.reads();
    assertEquals(new Answer.Refused(null), outbox.write(List.of(later)).get(0));
    assertEquals(1, http.reads() - reads);
  }

  @Test
  @DisplayName("are unsure, all of them, where the request is throttled or its replies are lost")
  void unsure() {
    DynamoDbOutbox outbox = own();
    List<OutboxRecord> due = records(outbox, 27);
    List<OutboxChange> changes = due.stream().map(OutboxTableScene::takingAll).toList();
    http.throttle(2);
    List<Answer> throttled = outbox.write(changes);
    assertEquals(25, throttled.stream().filter(Answer.Unsure.class::isInstance).count());
    assertEquals(
        List.of(new Answer.Written(true), new Answer.Written(true)), throttled.subList(25, 27));
    http.loseReplies(0, 2, () -> {});
    assertInstanceOf(Answer.Unsure.class, outbox.write(changes.subList(0, 1)).get(0));
    http.heal();
    outbox.write(changes);
    assertTrue(isGone());
    DynamoDbOutbox none = DynamoDbOutbox.of(client, "none-" + UUID.randomUUID());
    Answer.Unsure missing =
        assertInstanceOf(Answer.Unsure.class, none.write(changes.subList(0, 1)).get(0));
    assertTrue(missing.error().toString().contains("none-"), missing.error()::toString);
  }

  @Test
  @DisplayName("that fill a record are left as they are by what has no room, which says so")
  void full() {
    DynamoDbOutbox outbox = own();
    Map<String, AttributeValue> item = item(Tracking.defaults(), 2);
    int fits = 408_000;
    for (int step = 1_024; step > 0; step /= 2) {
      fits += isTaken(item, fits + step) ? step : 0;
    }
    assertTrue(isTaken(item, fits));
    OutboxRecord record = outbox.due(0, NOW, 1).get(0);
    Set<String> first = Set.of(record.waiting().get(0).id());
    Set<String> second = Set.of(record.waiting().get(1).id());
    List<OutboxChange> none =
        List.of(
            new OutboxChange(record, Set.of(), Set.of(), Set.of(), 1, NOW + 9),
            new OutboxChange(record, Set.of(), first, Set.of(), 0, NOW));
    for (OutboxChange change : none) {
      Answer.Unsure answer =
          assertInstanceOf(Answer.Unsure.class, outbox.write(List.of(change)).get(0));
      assertInstanceOf(TooLargeException.class, answer.error());
    }
    OutboxChange makesRoom = new OutboxChange(record, second, first, Set.of(), 0, NOW);
    assertEquals(List.of(new Answer.Written(false)), outbox.write(List.of(makesRoom)));
    assertEquals(1, outbox.parked(0, 9).size());
  }

  private boolean isTaken(Map<String, AttributeValue> item, int length) {
    item.put("note", AttributeValue.fromS("x".repeat(length)));
    try {
      client.putItem(put -> put.tableName(table).item(item));
      return true;
    } catch (DynamoDbException e) {
      return false;
    }
  }

  @Test
  @DisplayName("are asked for again where keys were not processed, and left out where they stay so")
  void unprocessed() {
    DynamoDbOutbox outbox = own();
    records(outbox, 3);
    List<Integer> left = new ArrayList<>(List.of(2, 1));
    edited.edit =
        reply ->
            reply instanceof BatchGetItemResponse && !left.isEmpty()
                ? withLeft(reply, left.remove(0))
                : reply;
    int reads = http.reads();
    assertEquals(3, outbox.due(0, NOW, 9).size());
    assertEquals(4, http.reads() - reads);
    edited.edit = reply -> withLeft(reply, 1);
    Look look = outbox.look(0, Long.MIN_VALUE, NOW, 9, Long.MAX_VALUE);
    assertEquals(2, look.records().size());
    assertTrue(look.goesOn());
    List<Object> keys = look.records().stream().map(OutboxRecord::key).toList();
    assertEquals(1, outbox.readAll(keys, Long.MAX_VALUE).size());
  }

  private BatchGetItemResponse.Builder left(BatchGetItemResponse reply, int count) {
    List<Map<String, AttributeValue>> items = reply.responses().getOrDefault(table, List.of());
    int from = Math.max(0, items.size() - count);
    KeysAndAttributes.Builder keys =
        KeysAndAttributes.builder()
            .consistentRead(true)
            .keys(
                items.subList(from, items.size()).stream()
                    .map(item -> Map.of("id", item.get("id")))
                    .toList());
    return reply.toBuilder()
        .responses(Map.of(table, items.subList(0, from)))
        .unprocessedKeys(count == 0 ? Map.of() : Map.of(table, keys.build()));
  }

  private SdkResponse withLeft(SdkResponse reply, int count) {
    return reply instanceof BatchGetItemResponse batch ? left(batch, count).build() : reply;
  }
}
