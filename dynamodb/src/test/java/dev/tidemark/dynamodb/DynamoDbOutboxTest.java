package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputDescription;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("Outgoing messages of a DynamoDB table")
final class DynamoDbOutboxTest extends OutboxTableScene {
  @Test
  @DisplayName("are found and cleared in six requests for a hundred records of their own")
  void cost() {
    DynamoDbOutbox outbox = own();
    for (int i = 0; i < 100; i++) {
      client.putItem(put -> put.tableName(table).item(item(Tracking.defaults(), 1)));
    }
    int reads = http.reads();
    int writes = http.writes();
    List<OutboxRecord> due = outbox.due(0, NOW, 100);
    assertEquals(100, due.size());
    assertEquals(2, http.reads() - reads);
    List<Object> keys = due.stream().map(OutboxRecord::key).toList();
    assertEquals(100, outbox.readAll(keys, Long.MAX_VALUE).size());
    assertEquals(3, http.reads() - reads);
    List<Answer> answers = outbox.write(due.stream().map(OutboxTableScene::takingAll).toList());
    assertEquals(Collections.nCopies(100, new Answer.Written(true)), answers);
    assertEquals(4, http.writes() - writes);
    assertTrue(isGone());
    assertEquals(List.of(), outbox.due(0, NOW, 100));
    assertEquals(5, http.reads() - reads, "one more of the table, and one that finds nothing");
  }

  @Test
  @DisplayName("have no ID in a statement's text, and any names of attributes and types of keys")
  void names() {
    String partition = "p \"k' ?";
    AttributeValue bytes = AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {0, 34, 39, -1}));
    Map<String, AttributeValue> key = Map.of(partition, bytes, "sort", AttributeValue.fromN("1.5"));
    client.createTable(
        create ->
            create
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    defined(partition, ScalarAttributeType.B),
                    defined("sort", ScalarAttributeType.N))
                .keySchema(keyed(partition, KeyType.HASH), keyed("sort", KeyType.RANGE)));
    DynamoDbOutbox.createIndex(client, table, NAMES);
    DynamoDbOutbox.createIndex(client, table, NAMES);
    awaitIndex();
    DynamoDbOutbox outbox = DynamoDbOutbox.of(client, table, OTHER, CLOCK);
    Map<String, AttributeValue> item = item(OTHER, 3);
    item.remove("out \"box\" 'x#own");
    item.putAll(key);
    item.put("until", AttributeValue.fromN(Long.toString(Outbox.WAITING + 77)));
    client.putItem(put -> put.tableName(table).item(item));
    OutboxRecord record = outbox.due(0, NOW, 9).get(0);
    assertEquals(outbox.key(key), record.key());
    assertFalse(record.key().toString().contains("1.5"), record.key()::toString);
    List<String> ids = ids(record.waiting());
    Answer part = outbox.write(List.of(taking(record, ids.subList(1, 2)))).get(0);
    assertEquals(new Answer.Written(false), part);
    OutboxRecord left = outbox.read(outbox.key(key)).orElseThrow();
    assertEquals(List.of(ids.get(0), ids.get(2)), ids(left.waiting()));
    assertEquals(new Answer.Written(true), outbox.write(List.of(takingAll(left))).get(0));
    Map<String, AttributeValue> bare = client.getItem(g -> g.tableName(table).key(key)).item();
    assertEquals(Set.of(partition, "sort", "id", "until"), bare.keySet());
    assertEquals(AttributeValue.fromN("77"), bare.get("until"));
    edited.statements.forEach(text -> assertFalse(text.contains("--"), text));
  }

  private static AttributeDefinition defined(String name, ScalarAttributeType type) {
    return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
  }

  private static KeySchemaElement keyed(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  private void awaitIndex() {
    while (!client.describeTable(r -> r.tableName(table)).table().globalSecondaryIndexes().stream()
        .allMatch(index -> index.indexStatus() == IndexStatus.ACTIVE)) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("are taken, parked and released by the hundred, though no statement takes so many")
  void many() {
    DynamoDbOutbox outbox = own();
    client.putItem(put -> put.tableName(table).item(item(Tracking.defaults(), 200)));
    OutboxRecord all = outbox.due(0, NOW, 1).get(0);
    List<String> ids = ids(all.waiting());
    Set<String> half = new HashSet<>(ids.subList(50, 150));
    Set<String> some = new HashSet<>(ids.subList(0, 40));
    OutboxChange parking = new OutboxChange(all, some, half, Set.of(), 3, NOW + 1);
    assertEquals(new Answer.Written(false), outbox.write(List.of(parking)).get(0));
    OutboxRecord parked = outbox.read(all.key()).orElseThrow();
    assertEquals(ids.subList(50, 150), ids(parked.parked()));
    assertEquals(60, parked.waiting().size());
    assertEquals(3, parked.tries());
    assertEquals(NOW + 1, parked.due());
    OutboxChange releasing =
        new OutboxChange(parked, new HashSet<>(ids.subList(40, 50)), Set.of(), half, 0, NOW);
    assertEquals(new Answer.Written(false), outbox.write(List.of(releasing)).get(0));
    OutboxRecord released = outbox.due(0, NOW, 1).get(0);
    List<String> order = new ArrayList<>(ids.subList(150, 200));
    order.addAll(ids.subList(50, 150));
    assertEquals(order, ids(released.waiting()));
    assertEquals(List.of(), released.parked());
    assertEquals(new Answer.Written(true), outbox.write(List.of(takingAll(released))).get(0));
    assertTrue(isGone());
    edited.statements.forEach(text -> assertTrue(text.length() < 4_096, () -> "" + text.length()));
  }

  @Test
  @DisplayName("taken in part leave no tries of those that are gone to the first that is left")
  void triesOfTaken() {
    DynamoDbOutbox outbox = own();
    Map<String, AttributeValue> item = item(Tracking.defaults(), 100);
    item.put("_outbox#tries", AttributeValue.fromN("9"));
    client.putItem(put -> put.tableName(table).item(item));
    OutboxRecord all = outbox.due(0, NOW, 1).get(0);
    BatchStatementError busy =
        BatchStatementError.builder().code(BatchStatementErrorCodeEnum.THROTTLING_ERROR).build();
    edited.answers(replies -> List.of(BatchStatementResponse.builder().error(busy).build()));
    List<String> some = ids(all.waiting()).subList(0, 60);
    assertInstanceOf(Answer.Unsure.class, outbox.write(List.of(taking(all, some))).get(0));
    OutboxRecord left = outbox.read(all.key()).orElseThrow();
    assertTrue(left.waiting().size() < 100);
    assertEquals(0, left.tries());
  }

  @Test
  @DisplayName("never leave an empty list where others took the rest since")
  void neverEmpty() {
    DynamoDbOutbox outbox = own();
    client.putItem(put -> put.tableName(table).item(item(Tracking.defaults(), 2)));
    OutboxRecord both = outbox.due(0, NOW, 1).get(0);
    List<String> ids = ids(both.waiting());
    OutboxChange last = taking(both, ids.subList(1, 2));
    assertEquals(List.of(new Answer.Written(false)), outbox.write(List.of(last)));
    Answer.Refused refused =
        assertInstanceOf(
            Answer.Refused.class, outbox.write(List.of(taking(both, ids.subList(0, 1)))).get(0));
    OutboxRecord left = Objects.requireNonNull(refused.found());
    assertEquals(ids.subList(0, 1), ids(left.waiting()));
    assertEquals(List.of(new Answer.Written(true)), outbox.write(List.of(takingAll(left))));
    assertTrue(isGone());
  }

  @Test
  @DisplayName("have an index of the table's own capacity where that is provisioned")
  void provisioned() {
    client.createTable(
        create ->
            create
                .tableName(table)
                .provisionedThroughput(p -> p.readCapacityUnits(3L).writeCapacityUnits(4L))
                .attributeDefinitions(defined("id", ScalarAttributeType.S))
                .keySchema(keyed("id", KeyType.HASH)));
    DynamoDbOutbox.createIndex(client, table, AttributeNames.defaults());
    awaitIndex();
    ProvisionedThroughputDescription capacity =
        client
            .describeTable(r -> r.tableName(table))
            .table()
            .globalSecondaryIndexes()
            .get(0)
            .provisionedThroughput();
    assertEquals(3, capacity.readCapacityUnits());
    assertEquals(4, capacity.writeCapacityUnits());
  }

  @Test
  @DisplayName("of an entity that was deleted since it was read are cleared all the same")
  void deletedSince() {
    DynamoDbOutbox outbox = own();
    Map<String, AttributeValue> item = item(Tracking.defaults(), 2);
    item.remove("_outbox#own");
    client.putItem(put -> put.tableName(table).item(item));
    OutboxRecord record = outbox.due(0, NOW, 1).get(0);
    item.put("deletedUntil", AttributeValue.fromN(Long.toString(Outbox.WAITING + 5)));
    client.putItem(put -> put.tableName(table).item(item));
    assertEquals(List.of(new Answer.Written(true)), outbox.write(List.of(takingAll(record))));
    Map<String, AttributeValue> left =
        client.scan(r -> r.tableName(table).consistentRead(true)).items().get(0);
    assertEquals(Set.of("id", "deletedUntil"), left.keySet());
    assertEquals(AttributeValue.fromN("5"), left.get("deletedUntil"));
  }

  @Test
  @DisplayName("are of the shard that was read, where the index still names another")
  void laggingIndex() {
    DynamoDbOutbox outbox = own();
    Map<String, AttributeValue> item = item(Tracking.defaults(), 1);
    client.putItem(put -> put.tableName(table).item(item));
    item.put("_outbox#shard", AttributeValue.fromN("1"));
    edited.edit =
        reply -> {
          if (reply instanceof QueryResponse) {
            client.putItem(put -> put.tableName(table).item(item));
          }
          return reply;
        };
    assertEquals(List.of(), outbox.due(0, NOW, 9));
    assertEquals(1, outbox.due(1, NOW, 9).get(0).shard());
  }

  @Test
  @DisplayName("that cannot be read keep no others back, and are a fault where they are alone")
  void corrupt() {
    DynamoDbOutbox outbox = own();
    OutboxRecord good = records(outbox, 1).get(0);
    Map<String, AttributeValue> item = item(Tracking.defaults(), 1);
    item.put("_outbox", AttributeValue.fromL(List.of(AttributeValue.fromS("secret"))));
    item.put("_outbox#due", AttributeValue.fromN("1"));
    client.putItem(put -> put.tableName(table).item(item));
    assertEquals(good.key(), outbox.due(0, NOW, 1).get(0).key());
    assertEquals(List.of(new Answer.Written(true)), outbox.write(List.of(takingAll(good))));
    CorruptRecordException fault =
        assertThrows(CorruptRecordException.class, () -> outbox.due(0, NOW, 1));
    assertFalse(fault.toString().contains("secret"), fault::toString);
  }

  @Test
  @DisplayName("keep what only a later version knows, parked or released")
  void later() {
    DynamoDbOutbox outbox = own();
    Map<String, AttributeValue> item = item(Tracking.defaults(), 2);
    List<AttributeValue> messages = new ArrayList<>();
    for (AttributeValue message : Objects.requireNonNull(item.get("_outbox")).l()) {
      Map<String, AttributeValue> members = new HashMap<>(message.m());
      members.put("priority", AttributeValue.fromS("high"));
      messages.add(AttributeValue.fromM(members));
    }
    item.put("_outbox", AttributeValue.fromL(messages));
    client.putItem(put -> put.tableName(table).item(item));
    OutboxRecord found = outbox.due(0, NOW, 1).get(0);
    Set<String> first = Set.of(found.waiting().get(0).id());
    outbox.write(List.of(new OutboxChange(found, Set.of(), first, Set.of(), 0, NOW)));
    found = outbox.due(0, NOW, 1).get(0);
    outbox.write(List.of(new OutboxChange(found, Set.of(), Set.of(), first, 0, NOW)));
    Map<String, AttributeValue> left =
        client.scan(r -> r.tableName(table).consistentRead(true)).items().get(0);
    assertEquals(
        AttributeValue.fromL(List.of(messages.get(1), messages.get(0))), left.get("_outbox"));
    assertThrows(IllegalArgumentException.class, () -> outbox.read("x"));
    assertThrows(IllegalArgumentException.class, () -> outbox.readAll(List.of("x"), 9));
  }

  @Test
  @DisplayName("are in no key that is kept for long")
  void bare() {
    DynamoDbOutbox outbox = own();
    client.putItem(put -> put.tableName(table).item(item(Tracking.defaults(), 1)));
    OutboxRecord found = outbox.due(0, NOW, 1).get(0);
    String id = found.waiting().get(0).id();
    assertNotNull(((OutboxKey) found.key()).stored(id));
    assertNull(((OutboxKey) outbox.bare(found.key())).stored(id));
  }

  @Test
  @DisplayName("that somebody wrote by hand are sent as well")
  void byHand() {
    DynamoDbOutbox outbox = own();
    client.putItem(
        put ->
            put.tableName(table)
                .item(
                    DynamoDbJson.item(
                        """
                        {"id": {"S": "o-1"}, "status": {"S": "PAID"},
                         "_outbox": {"L": [{"M": {
                           "id": {"S": "m-1"}, "topic": {"S": "orders"},
                           "payload": {"B": "AAEC"}, "headers": {"L": [{"S": "a"}, {"S": "b"}]}}}]},
                         "_outbox#shard": {"N": "0"}, "_outbox#due": {"N": "0"}}
                        """)));
    OutboxRecord record = outbox.due(0, NOW, 1).get(0);
    OutgoingMessage message = record.waiting().get(0).message();
    assertEquals(3, message.bytes().length);
    assertEquals(Map.of("a", "b"), message.headers());
    OutboxChange parking = new OutboxChange(record, Set.of(), Set.of("m-1"), Set.of(), 0, 7);
    assertEquals(List.of(new Answer.Written(false)), outbox.write(List.of(parking)));
    OutboxRecord parked = outbox.parked(0, 1).get(0);
    OutboxChange dropping = taking(parked, List.of("m-1"));
    assertEquals(List.of(new Answer.Written(true)), outbox.write(List.of(dropping)));
    assertEquals(
        Set.of("id", "status"),
        client.scan(r -> r.tableName(table).consistentRead(true)).items().get(0).keySet());
  }
}
