package dev.tidemark.benchmarks.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.tidemark.benchmarks.measure.Event;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The usual ways with a table of processed messages beside the entities. */
final class ProcessedTable {
  private final DynamoDbClient client;

  ProcessedTable(DynamoDbClient client) {
    this.client = client;
  }

  /** The record of the message and the change, in one transaction. */
  boolean inTransaction(Event event) {
    UpdateItemRequest change = ByHand.change(event).build();
    Put put =
        Put.builder()
            .tableName(Tables.PROCESSED)
            .item(record(event))
            .conditionExpression("attribute_not_exists(id)")
            .build();
    Update update =
        Update.builder()
            .tableName(change.tableName())
            .key(change.key())
            .updateExpression(change.updateExpression())
            .expressionAttributeNames(change.expressionAttributeNames())
            .expressionAttributeValues(change.expressionAttributeValues())
            .build();
    try {
      client.transactWriteItems(
          request ->
              request.transactItems(
                  TransactWriteItem.builder().put(put).build(),
                  TransactWriteItem.builder().update(update).build()));
      return true;
    } catch (TransactionCanceledException cancelled) {
      if ("ConditionalCheckFailed".equals(cancelled.cancellationReasons().get(0).code())) {
        return false;
      }
      throw cancelled;
    }
  }

  /** Looks, changes, records: two threads with one message both apply it. */
  boolean checkThenAct(Event event) {
    boolean seen =
        client
            .getItem(
                get ->
                    get.tableName(Tables.PROCESSED)
                        .key(Tables.key(event.id()))
                        .consistentRead(true))
            .hasItem();
    if (seen) {
      return false;
    }
    client.updateItem(ByHand.change(event).build());
    client.putItem(put -> put.tableName(Tables.PROCESSED).item(record(event)));
    return true;
  }

  private static Map<String, AttributeValue> record(Event event) {
    return Map.of("id", fromS(event.id()));
  }
}
