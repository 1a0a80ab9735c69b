// snippet: start-change-stream
package shop;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.intake.Intake;
import dev.tidemark.mongodb.ChangeStreamIntake;
import dev.tidemark.mongodb.MongoDeadLetters;
import dev.tidemark.mongodb.StreamedChange;
import dev.tidemark.projector.Projector;

public record StreamedOrders(Projector<?> projector, MongoClient client, MongoDatabase shop) {
  public ChangeStreamIntake stream() {
    return ChangeStreamIntake.stream(
            client, shop.getCollection("events"), intake(), shop.getCollection("places"), "orders")
        .build();
  }

  Intake<StreamedChange> intake() {
    return ChangeStreamIntake.builder(
            change -> OrderEvent.parse(change.document().getString("event").getValue()).delivery(),
            projector::handle)
        .deadLetters(MongoDeadLetters.of(shop.getCollection("dead-letters"), "orders"))
        .build();
  }
}
// end
