package dev.tidemark.example.orderhistory.demo;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromL;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPaid;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import dev.tidemark.example.orderhistory.OrderEvent.OrderShipped;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** For contrast: the usual handler, which trusts that every event comes once. */
final class UntrackedDynamoDb implements Consumer<OrderEvent> {
  private static final String STEP =
      "SET #status = :status, history = list_append(if_not_exists(history, :none), :steps)";

  private final DynamoDbClient client;
  private final DynamoDbTable<OrderView> table;

  UntrackedDynamoDb(DynamoDbClient client, DynamoDbTable<OrderView> table) {
    this.client = client;
    this.table = table;
  }

  @Override
  public void accept(OrderEvent event) {
    if (event instanceof OrderPlaced e) {
      step(e, "PLACED", ", customer = :customer", Map.of(":customer", fromS(e.customer())));
    } else if (event instanceof LineAdded e) {
      addLine(e);
    } else if (event instanceof OrderPaid e) {
      step(e, "PAID", " ADD paid :cents", Map.of(":cents", cents(e.cents())));
    } else if (event instanceof OrderShipped e) {
      step(e, "SHIPPED", ", parcel = :parcel", Map.of(":parcel", fromS(e.parcel())));
    } else if (event instanceof OrderCancelled e) {
      cancel(e);
    } else {
      step(event, "DELIVERED", "", Map.of());
    }
  }

  private void addLine(LineAdded event) {
    Map<String, AttributeValue> line =
        Map.of(
            "sku", fromS(event.sku()),
            "quantity", cents(event.quantity()),
            "cents", cents(event.cents()));
    update(
        event,
        "SET #lines = list_append(if_not_exists(#lines, :none), :lines) ADD #total :cents",
        Map.of("#lines", "lines", "#total", "total"),
        Map.of(
            ":none", fromL(List.of()),
            ":lines", fromL(List.of(fromM(line))),
            ":cents", cents(event.cents())));
  }

  private void cancel(OrderCancelled event) {
    OrderView view = table.getItem(get -> get.key(k -> k.partitionValue(event.orderId())));
    long paid = view == null ? 0 : view.getPaid();
    update(
        event,
        STEP + ", paid = :zero ADD refunded :paid",
        Map.of("#status", "status"),
        Map.of(
            ":status", fromS("CANCELLED"),
            ":none", fromL(List.of()),
            ":steps", fromL(List.of(fromS("CANCELLED: " + event.reason()))),
            ":zero", cents(0),
            ":paid", cents(paid)));
  }

  private void step(
      OrderEvent event, String status, String more, Map<String, AttributeValue> moreValues) {
    Map<String, AttributeValue> values = new HashMap<>(moreValues);
    values.put(":status", fromS(status));
    values.put(":none", fromL(List.of()));
    values.put(":steps", fromL(List.of(fromS(status))));
    update(event, STEP + more, Map.of("#status", "status"), values);
  }

  private void update(
      OrderEvent event,
      String expression,
      Map<String, String> names,
      Map<String, AttributeValue> values) {
    var unused =
        client.updateItem(
            update ->
                update
                    .tableName(table.tableName())
                    .key(Map.of("orderId", fromS(event.orderId())))
                    .updateExpression(expression)
                    .expressionAttributeNames(names)
                    .expressionAttributeValues(values));
  }

  private static AttributeValue cents(long amount) {
    return fromN(Long.toString(amount));
  }
}
