package shop;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Events;
import dev.tidemark.Tracked;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.lambda.SqsBatch;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.projector.Projector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.bson.RawBsonDocument;
import org.bson.codecs.pojo.annotations.BsonId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import shop.OrderEvent.Paid;
import shop.OrderEvent.Placed;

@DisplayName("The dense window of docs/lambda.md applies at once what comes early")
class AnyOrderTest {
  // snippet: start-lambda-window
  @Tracked(events = @Events(value = EventPolicy.Kind.DENSE_WINDOW, size = 100)) // in any order
  public record OrderRow(@BsonId String id, String status, Long total) {
    public OrderRow {
      total = total == null ? 0L : total; // until an event adds to it
    }
  }

  static <T> Projector<T> into(EntityStore<T> orders) {
    return Projector.into(orders)
        .declaring(OrderEvent.class)
        .updating(
            Placed.class, OrderEvent::row, e -> change().createIfMissing().add("total", e.cents()))
        .updating(
            Paid.class,
            OrderEvent::row,
            e -> change().createIfMissing().set("status", "PAID").add("total", e.fee()))
        .build();
  }

  // end

  private final MongoClient mongo = MongoClients.create(LocalStore.mongo().uri());
  private MongoCollection<OrderRow> rows;
  private EntityStore<OrderRow> orders;
  private SqsBatch batch;

  @BeforeEach
  void start() {
    rows = mongo.getDatabase(LocalStore.freshName()).getCollection("orders", OrderRow.class);
    orders = MongoEntityStore.of(rows);
    Projector<OrderRow> projector = into(orders);
    batch =
        SqsBatch.of(message -> OrderEvent.parse(message.getBody()).delivery(), projector::handle);
  }

  @AfterEach
  void stop() {
    mongo.close();
  }

  private static String placed(int version) {
    return "{\"type\":\"Placed\",\"orderId\":\"4711\",\"version\":%d,\"cents\":100}"
        .formatted(version);
  }

  private static String paid(int version) {
    return "{\"type\":\"Paid\",\"orderId\":\"4711\",\"version\":%d,\"fee\":25}".formatted(version);
  }

  private List<String> again(String... bodies) {
    SQSEvent event = new SQSEvent();
    event.setRecords(
        IntStream.range(0, bodies.length).mapToObj(i -> message(i, bodies[i])).toList());
    return batch.handle(event).getBatchItemFailures().stream()
        .map(failure -> failure.getItemIdentifier())
        .toList();
  }

  private static SQSMessage message(int number, String body) {
    SQSMessage message = new SQSMessage();
    message.setMessageId("message " + number);
    message.setEventSourceArn("arn:aws:sqs:eu-central-1:000000000000:orders");
    message.setBody(body);
    return message;
  }

  private OrderRow row() {
    return orders.find(EntityKey.key("4711")).orElseThrow();
  }

  @Test
  @DisplayName("though each event comes in a batch of its own, the last one first, and twice")
  void disordered() {
    assertEquals(List.of(), again(paid(2)));
    assertEquals(new OrderRow("4711", "PAID", 25L), row());
    assertEquals(List.of(), again(placed(1)));
    assertEquals(List.of(), again(placed(1), paid(2)));
    assertEquals(new OrderRow("4711", "PAID", 125L), row());
  }

  @Test
  @DisplayName("and what cannot be a version comes again alone")
  void badVersion() {
    List<String> reasons = new ArrayList<>();
    Projector<OrderRow> projector = into(orders);
    batch =
        SqsBatch.of(
            message -> OrderEvent.parse(message.getBody()).delivery(),
            projector::handle,
            intake ->
                intake.listener(
                    taken -> taken.fates().forEach(fate -> reasons.add(fate.reason()))));
    assertEquals(List.of("message 1", "message 2"), again(placed(1), paid(0), paid(-1), paid(2)));
    assertEquals(125L, row().total());
    assertEquals("IllegalArgumentException", reasons.get(1));
    assertEquals("cannot be decoded: IllegalArgumentException", reasons.get(2));
  }

  @Test
  @DisplayName("and keeps up to 120 positions of 13 bytes, though none is missing")
  void bytes() {
    String[] paid =
        IntStream.rangeClosed(1, 450).mapToObj(AnyOrderTest::paid).toArray(String[]::new);
    int most = 0;
    for (int i = 0; i < paid.length; i += 10) {
      assertEquals(List.of(), again(Arrays.copyOfRange(paid, i, i + 10)));
      RawBsonDocument row = rows.withDocumentClass(RawBsonDocument.class).find().first();
      most = Math.max(most, Objects.requireNonNull(row).getByteBuffer().remaining());
    }
    assertEquals(450 * 25L, row().total());
    assertTrue(most < 120 * 13 + 200, "the row has " + most + " bytes");
    assertTrue(most > 100 * 10, "the row has " + most + " bytes");
  }

  @Test
  @DisplayName("up to its size above a missing one, and a little further at most")
  void size() {
    assertEquals(List.of(), again(paid(101)));
    assertEquals(List.of("message 0"), again(paid(122)));
    assertEquals(25L, row().total());
  }
}
