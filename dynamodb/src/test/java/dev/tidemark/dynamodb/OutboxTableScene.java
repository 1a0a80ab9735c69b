package dev.tidemark.dynamodb;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;

/** A table with outgoing messages, by a client whose replies can be edited. */
abstract class OutboxTableScene {
  static final long NOW = 1_700_000_000_000L;
  static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC);
  static final AttributeNames NAMES =
      new AttributeNames("seen", "from", "_r", "_b", "until", "out \"box\" 'x");
  static final Tracking OTHER = Tracking.defaults().names(NAMES).outbox(1_000, 2);

  final DynamoDbFaults http = DynamoDbTables.faults();
  final Edited edited = new Edited();
  final DynamoDbClient client = DynamoDbTables.client(http, edited, 2);
  final String table = "outbox-" + UUID.randomUUID();

  /** Shows the statements that are sent, and edits replies. */
  static final class Edited implements ExecutionInterceptor {
    final List<String> statements = new ArrayList<>();
    UnaryOperator<SdkResponse> edit = reply -> reply;

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      SdkRequest request = context.request();
      if (request instanceof BatchExecuteStatementRequest batch) {
        batch.statements().forEach(one -> statements.add(one.statement()));
      }
    }

    @Override
    public SdkResponse modifyResponse(
        Context.ModifyResponse context, ExecutionAttributes attributes) {
      return edit.apply(context.response());
    }

    /** Edits the answers to single changes. */
    void answers(UnaryOperator<List<BatchStatementResponse>> answers) {
      edit =
          reply ->
              reply instanceof BatchExecuteStatementResponse batch
                  ? batch.toBuilder().responses(answers.apply(batch.responses())).build()
                  : reply;
    }
  }

  @AfterEach
  void close() {
    client.close();
  }

  final DynamoDbOutbox own() {
    DynamoDbOutbox.createTable(client, table);
    return DynamoDbOutbox.of(client, table, Tracking.defaults().outbox(100, 1), CLOCK);
  }

  static Map<String, AttributeValue> item(Tracking tracking, int count) {
    OutboxItems items = OutboxItems.of(tracking);
    Map<String, AttributeValue> item =
        new HashMap<>(
            items.own(
                OutgoingMessage.to("orders", "text").id(UUID.randomUUID().toString()),
                CLOCK.instant(),
                Set.of()));
    List<AttributeValue> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      OutgoingMessage message = OutgoingMessage.to("orders", "text").id("' OR \"1\" = ? --" + i);
      messages.add(Values.toNative((Object) Outbox.stored(message, CLOCK.instant())));
    }
    item.put(items.names().outbox(), AttributeValue.fromL(messages));
    item.put(items.names().outboxShard(), AttributeValue.fromN("0"));
    return item;
  }

  final List<OutboxRecord> records(DynamoDbOutbox outbox, int count) {
    for (int i = 0; i < count; i++) {
      client.putItem(put -> put.tableName(table).item(item(Tracking.defaults(), 1)));
    }
    return outbox.due(0, NOW, 1_000);
  }

  static List<String> ids(List<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::id).toList();
  }

  static OutboxChange taking(OutboxRecord record, List<String> ids) {
    return new OutboxChange(record, new HashSet<>(ids), Set.of(), Set.of(), 0, record.due());
  }

  static OutboxChange takingAll(OutboxRecord record) {
    return taking(record, ids(record.waiting()));
  }

  final boolean isGone() {
    return client.scan(r -> r.tableName(table).consistentRead(true)).items().isEmpty();
  }
}
