package dev.tidemark.example.orderhistory.store;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.TimelineStep;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;

@DisplayName("Rows")
class RowsTest {
  private static final String COLUMNS =
      """
      "consumerId": "ada", "createdAt": "2026-11-21T20:30:00.000Z", "restaurant": "One Lantern",
      "status": "CREATED", "lines": [{"name": "Ramen", "quantity": 2, "cents": 1200}],
      "keywords": ["one", "lantern", "ramen"], "total": 1450, "tips": 250, "refunded": 1,
      "courier": "Kim", "courierVersion": 3,
      "timeline": [{"status": "CREATED", "at": "2026-11-21T20:30:00.000Z"}],
      "announced": "CREATED", "announcements": 1, "successor": 2}""";

  private static OrderView row() {
    OrderView row = new OrderView();
    row.orderId = "order-1";
    row.consumerId = "ada";
    row.createdAt = "2026-11-21T20:30:00.000Z";
    row.restaurant = "One Lantern";
    row.status = "CREATED";
    row.lines = List.of(new OrderLine("Ramen", 2, 1_200));
    row.keywords = List.of("one", "lantern", "ramen");
    row.total = 1_450;
    row.tips = 250;
    row.refunded = 1;
    row.courier = "Kim";
    row.courierVersion = 3;
    row.timeline = List.of(new TimelineStep("CREATED", "2026-11-21T20:30:00.000Z"));
    row.announced = "CREATED";
    row.announcements = 1;
    row.successor = 2;
    return row;
  }

  @Test
  @DisplayName("have an attribute of DynamoDB for each column, of the column's name")
  void columns() {
    assertEquals(fields(OrderView.class), names(DynamoDbRows.ORDERS));
    assertEquals(fields(SpendingView.class), names(DynamoDbRows.SPENDING));
    assertEquals(fields(BoardView.class), names(DynamoDbRows.BOARD));
  }

  private static Set<String> names(TableSchema<?> schema) {
    return new TreeSet<>(schema.attributeNames());
  }

  private static Set<String> fields(Class<?> type) {
    return Stream.of(type.getFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .map(Field::getName)
        .collect(toCollection(TreeSet::new));
  }

  @Test
  @DisplayName("are stored by DynamoDB as they always were, and read back")
  void dynamoDb() {
    var item = DynamoDbRows.ORDERS.itemToMap(row(), true);
    assertEquals(EnhancedDocument.fromJson("{\"orderId\": \"order-1\"," + COLUMNS).toMap(), item);
    OrderView read = DynamoDbRows.ORDERS.mapToItem(item);
    assertEquals(item, DynamoDbRows.ORDERS.itemToMap(read, true));
  }

  @Test
  @DisplayName("are stored by MongoDB as they always were, and read back")
  void mongoDb() {
    Codec<OrderView> codec = MongoGenerations.CODECS.get(OrderView.class);
    BsonDocument stored = stored(codec, row());
    BsonDocument should = BsonDocument.parse("{\"_id\": \"order-1\"," + longs(COLUMNS));
    assertEquals(should, stored);
    OrderView read = codec.decode(new BsonDocumentReader(stored), DecoderContext.builder().build());
    assertEquals(stored, stored(codec, read));
  }

  /** All numbers but two are of 64 bits. */
  private static String longs(String json) {
    return json.replaceAll("(?<!quantity|successor)\": (\\d+)", "\": {\"\\$numberLong\": \"$1\"}");
  }

  private static BsonDocument stored(Codec<OrderView> codec, OrderView row) {
    BsonDocument document = new BsonDocument();
    codec.encode(new BsonDocumentWriter(document), row, EncoderContext.builder().build());
    return document;
  }
}
