package dev.tidemark.benchmarks.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromSs;

import dev.tidemark.benchmarks.measure.Event;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * What a careful person writes without a library: the same change with a condition of one's own.
 * Nothing here is computed that could be a constant, and nothing is returned that is not needed.
 */
public final class ByHand {
  private static final AttributeValue AMOUNT = fromN(String.valueOf(Event.AMOUNT));
  private static final TableSchema<Order> SCHEMA = TableSchema.fromBean(Order.class);

  private static final Map<String, String> CHANGED = Map.of("#status", "status", "#total", "total");
  private static final Map<String, String> MARKED =
      Map.of("#status", "status", "#total", "total", "#mark", "lastPosition");
  private static final Map<String, String> REMEMBERED =
      Map.of("#status", "status", "#total", "total", "#ids", "messageIds");

  private final DynamoDbClient client;

  /**
   * Writes by hand.
   *
   * @param client a client
   */
  public ByHand(DynamoDbClient client) {
    this.client = client;
  }

  /** The change alone. */
  static UpdateItemRequest.Builder change(Event event) {
    return UpdateItemRequest.builder()
        .tableName(Tables.ORDERS)
        .key(Tables.key(event.entity()))
        .updateExpression("SET #status = :status ADD #total :amount")
        .expressionAttributeNames(CHANGED)
        .expressionAttributeValues(Map.of(":status", fromS(event.status()), ":amount", AMOUNT));
  }

  boolean unguarded(Event event) {
    client.updateItem(change(event).build());
    return true;
  }

  /** The change and its mark, on the condition that the mark is lower. */
  static UpdateItemRequest.Builder marked(Event event) {
    return UpdateItemRequest.builder()
        .tableName(Tables.ORDERS)
        .key(Tables.key(event.entity()))
        .updateExpression("SET #status = :status, #mark = :position ADD #total :amount")
        .conditionExpression(
            "attribute_exists(id) AND (attribute_not_exists(#mark) OR #mark < :position)")
        .expressionAttributeNames(MARKED)
        .expressionAttributeValues(
            Map.of(
                ":status", fromS(event.status()),
                ":amount", AMOUNT,
                ":position", fromN(Long.toString(event.position()))))
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  /**
   * A change under a high-water mark.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean highWater(Event event) {
    try {
      client.updateItem(marked(event).build());
      return true;
    } catch (ConditionalCheckFailedException refused) {
      return false;
    }
  }

  /**
   * The same, with the entity as it is afterwards.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean highWaterReturning(Event event) {
    try {
      UpdateItemResponse reply =
          client.updateItem(marked(event).returnValues(ReturnValue.ALL_NEW).build());
      return SCHEMA.mapToItem(reply.attributes()).getTotal() != null;
    } catch (ConditionalCheckFailedException refused) {
      return false;
    }
  }

  /** A change that remembers the message's id in the entity. */
  boolean rememberingIds(Event event) {
    try {
      client.updateItem(
          UpdateItemRequest.builder()
              .tableName(Tables.ORDERS)
              .key(Tables.key(event.entity()))
              .updateExpression("SET #status = :status ADD #total :amount, #ids :ids")
              .conditionExpression("attribute_exists(id) AND NOT contains(#ids, :id)")
              .expressionAttributeNames(REMEMBERED)
              .expressionAttributeValues(
                  Map.of(
                      ":status", fromS(event.status()),
                      ":amount", AMOUNT,
                      ":id", fromS(event.id()),
                      ":ids", fromSs(List.of(event.id()))))
              .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
              .build());
      return true;
    } catch (ConditionalCheckFailedException refused) {
      return false;
    }
  }
}
