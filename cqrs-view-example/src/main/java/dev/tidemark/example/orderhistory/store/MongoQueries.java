package dev.tidemark.example.orderhistory.store;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Sorts.descending;

import com.mongodb.client.MongoCollection;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.PageToken;
import java.util.ArrayList;
import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Queries of the index by consumer, one command a page. */
final class MongoQueries implements OrderQueries {
  private final MongoCollection<OrderView> orders;

  MongoQueries(MongoCollection<OrderView> orders) {
    this.orders = orders;
  }

  @Override
  public Page ofConsumer(
      String consumerId, OrderFilter filter, int limit, @Nullable PageToken from) {
    List<Bson> terms = new ArrayList<>();
    terms.add(eq("consumerId", consumerId));
    filter.since().ifPresent(since -> terms.add(gte("createdAt", since)));
    filter.status().ifPresent(status -> terms.add(eq("status", status)));
    filter.keywords().forEach(keyword -> terms.add(eq("keywords", keyword)));
    if (from != null) {
      terms.add(
          or(
              lt("createdAt", from.createdAt()),
              and(eq("createdAt", from.createdAt()), lt("_id", from.orderId()))));
    }
    return Page.of(
        orders
            .find(and(terms))
            .sort(descending("createdAt", "_id"))
            .limit(limit + 1)
            .into(new ArrayList<>()),
        limit);
  }
}
