package dev.tidemark.example.orderhistory.demo;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPaid;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import dev.tidemark.example.orderhistory.OrderEvent.OrderShipped;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.function.Consumer;
import org.bson.conversions.Bson;

/** For contrast: the usual handler, which trusts that every event comes once. */
final class UntrackedMongo implements Consumer<OrderEvent> {
  private final MongoCollection<OrderView> collection;

  UntrackedMongo(MongoCollection<OrderView> collection) {
    this.collection = collection;
  }

  @Override
  public void accept(OrderEvent event) {
    var unused =
        collection.updateOne(
            eq("_id", event.orderId()), change(event), new UpdateOptions().upsert(true));
  }

  private Bson change(OrderEvent event) {
    if (event instanceof OrderPlaced e) {
      return combine(step("PLACED"), set("customer", e.customer()));
    }
    if (event instanceof LineAdded e) {
      OrderLine line = new OrderLine(e.sku(), e.quantity(), e.cents());
      return combine(push("lines", line), inc("total", e.cents()));
    }
    if (event instanceof OrderPaid e) {
      return combine(step("PAID"), inc("paid", e.cents()));
    }
    if (event instanceof OrderShipped e) {
      return combine(step("SHIPPED"), set("parcel", e.parcel()));
    }
    if (event instanceof OrderCancelled e) {
      OrderView view = collection.find(eq("_id", e.orderId())).first();
      Bson cancelled = combine(set("status", "CANCELLED"), push("history", reason(e)));
      return combine(
          cancelled, set("paid", 0L), inc("refunded", view == null ? 0L : view.getPaid()));
    }
    return step("DELIVERED");
  }

  private static String reason(OrderCancelled event) {
    return "CANCELLED: " + event.reason();
  }

  private static Bson step(String status) {
    return combine(set("status", status), push("history", status));
  }
}
