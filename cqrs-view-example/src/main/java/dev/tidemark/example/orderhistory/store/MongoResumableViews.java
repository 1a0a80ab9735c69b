package dev.tidemark.example.orderhistory.store;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Projections.include;
import static com.mongodb.client.model.Sorts.descending;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ReplaceOptions;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the token in the rows of the order history: no write more, and no moment at which row and
 * token disagree. While nothing is written it goes into a document of its own.
 */
final class MongoResumableViews implements ResumableViews {
  private static final String TOKEN = "resumeToken";

  private final MongoDatabase database;
  private final MongoCollection<Document> pointers;
  private final Generations generations;

  MongoResumableViews(
      MongoDatabase database, MongoCollection<Document> pointers, Generations generations) {
    this.database = database;
    this.pointers = pointers;
    this.generations = generations;
  }

  @Override
  public Optional<String> resumeToken() {
    int serving = generations.serving();
    MongoCollection<OrderView> rows = MongoViews.orders(database, serving);
    Document row =
        rows.withDocumentClass(Document.class)
            .find(exists(TOKEN)) // as the index on it has it
            .sort(descending(TOKEN))
            .projection(include(TOKEN))
            .first();
    Document pointer = pointers.find(eq("_id", id(serving))).first();
    return Stream.of(row, pointer)
        .filter(Objects::nonNull)
        .map(found -> found.getString(TOKEN))
        .max(Comparator.naturalOrder());
  }

  @Override
  public BatchOutcome<?> apply(List<Delivery> deliveries, @Nullable String token) {
    int serving = generations.serving();
    if (deliveries.isEmpty() && token != null) {
      var unused =
          pointers.replaceOne(
              eq("_id", id(serving)),
              new Document(TOKEN, token),
              new ReplaceOptions().upsert(true));
    }
    ViewStore views = generations.generation(serving);
    return new Views(
            token == null ? views : views.withOrders(new StampedOrders(views.orders(), token)))
        .apply(deliveries);
  }

  private static String id(int generation) {
    return "change-stream-" + generation;
  }
}
