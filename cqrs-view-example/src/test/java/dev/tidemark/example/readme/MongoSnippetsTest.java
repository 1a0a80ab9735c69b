package dev.tidemark.example.readme;

import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.push;
import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoNativeUpdate;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The snippets of docs/mongodb.md")
class MongoSnippetsTest {
  @SuppressWarnings("NullAway.Init")
  private static MongoClient client;

  private final String orderId = UUID.randomUUID().toString();

  @BeforeAll
  static void start() {
    client = MongoClients.create(LocalStore.mongo().uri());
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  private static MongoEntityStore<OrderRow> orders() {
    MongoDatabase database = client.getDatabase("shop");
    // snippet: mongodb-store
    MongoEntityStore<OrderRow> orders =
        MongoEntityStore.of(database.getCollection("orders", OrderRow.class));
    // end
    return orders;
  }

  private void place() {
    Outcome<OrderRow> placed =
        orders()
            .update(
                SourceEvent.of("Order", orderId, 1),
                key(orderId),
                change()
                    .createIfMissing()
                    .set("status", "PLACED")
                    .set("total", 100L)
                    .set("history", List.of("PLACED")));
    assertTrue(placed.isApplied());
  }

  @Test
  @DisplayName("a function, a gap, and the outcome of a redelivery")
  void apply() {
    place();
    MongoEntityStore<OrderRow> orders = orders();
    // snippet: mongodb-apply
    Outcome<OrderRow> paid =
        orders.apply(SourceEvent.of("Order", orderId, 2), key(orderId), row -> row.paid(25));

    Outcome<OrderRow> early = orders.skip(SourceEvent.of("Order", orderId, 9), key(orderId));
    if (early instanceof Outcome.Gap<OrderRow> gap) {
      System.out.println("waiting for version " + gap.expected()); // 3: nothing was written
    }
    // end
    assertEquals(125, paid.entity().orElseThrow().total());
    assertInstanceOf(Outcome.Gap.class, early);
  }

  @Test
  @DisplayName("the user's own operators and filter")
  void operators() {
    place();
    MongoEntityStore<OrderRow> orders = orders();
    UUID messageId = UUID.randomUUID();
    // snippet: mongodb-native
    MongoNativeUpdate discount =
        MongoNativeUpdate.of(combine(inc("total", -10L), push("history", "DISCOUNT")))
            .onlyIf(lt("total", 1_000L));
    Outcome<OrderRow> outcome = orders.update(MessageId.of(messageId), key(orderId), discount);
    // end
    assertTrue(outcome.isApplied());
    assertFalse(orders.update(MessageId.of(messageId), key(orderId), discount).isApplied());
    assertEquals(90, orders.find(key(orderId)).orElseThrow().total());
    // snippet: mongodb-live
    MongoCollection<Document> all = client.getDatabase("shop").getCollection("orders");
    long open = all.countDocuments(orders.live()); // deleted entities leave tombstones
    // end
    assertTrue(open > 0);
  }
}
