package dev.tidemark.example.orderhistory.demo;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderQueries.Page;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.demo.LabJournal.OrderTruth;
import dev.tidemark.example.orderhistory.demo.LabJournal.SpendingTruth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares all views with the truth of the journal. */
final class LabCheck {
  private final Generations generations;
  private final LabJournal journal;

  LabCheck(Generations generations, LabJournal journal) {
    this.generations = generations;
    this.journal = journal;
  }

  /**
   * What came out.
   *
   * @param compared how many rows
   * @param wrong which of them are not as they must be
   */
  record Result(int compared, List<String> wrong) {}

  Result compare() {
    ViewStore views = generations.current();
    List<String> wrong = new ArrayList<>();
    Map<String, OrderTruth> orders = journal.orderTruths();
    Map<String, OrderTruth> listed = new LinkedHashMap<>();
    journal.consumers().forEach(consumer -> list(views.queries(), consumer, listed));
    orders.forEach(
        (id, truth) -> {
          if (!truth.equals(listed.remove(id))) {
            wrong.add(id);
          }
        });
    wrong.addAll(listed.keySet()); // rows of orders that were never placed
    Map<String, SpendingTruth> sums = journal.spendingTruths();
    sums.forEach(
        (id, truth) -> {
          if (!truth.equals(sum(views.spending().find(key(id)).orElse(null)))) {
            wrong.add(id);
          }
        });
    return new Result(orders.size() + sums.size(), wrong);
  }

  private static void list(OrderQueries queries, String consumer, Map<String, OrderTruth> into) {
    String token = null;
    do {
      Page page = queries.ofConsumer(consumer, OrderFilter.ALL, OrderQueries.MAX_LIMIT, token);
      page.orders().forEach(row -> into.put(row.getOrderId(), order(row)));
      token = page.next().orElse(null);
    } while (token != null);
  }

  private static OrderTruth order(OrderView row) {
    return new OrderTruth(
        Objects.toString(row.getConsumerId()),
        row.getStatus(),
        row.getTotal(),
        row.getTips(),
        row.getRefunded(),
        row.getTimeline().size());
  }

  private static @Nullable SpendingTruth sum(@Nullable SpendingView row) {
    return row == null
        ? null
        : new SpendingTruth(row.getOrders(), row.getSpent(), row.getTips(), row.getRefunded());
  }
}
