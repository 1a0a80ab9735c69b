package dev.tidemark.lab.orders;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderQueries.Page;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.PageToken;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.lab.orders.LabJournal.OrderTruth;
import dev.tidemark.lab.orders.LabJournal.SpendingTruth;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares all views, and those of the untracked twin, with the truth of the journal. */
final class LabCheck {
  private final Generations generations;
  private final OpenViews twin;
  private final LabJournal journal;

  LabCheck(Generations generations, LabTwin twin, LabJournal journal) {
    this.generations = generations;
    this.twin = twin.rows();
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

  /**
   * The untracked twin.
   *
   * @param compared how many of its rows
   * @param wrong how many of them are not as they must be
   * @param truth what the consumer's month must come to; null if it has no orders in it
   * @param tracked what it comes to
   * @param untracked what it comes to in the twin
   */
  record Twin(
      int compared,
      int wrong,
      @Nullable SpendingTruth truth,
      @Nullable SpendingTruth tracked,
      @Nullable SpendingTruth untracked) {}

  /** Compares the twin; of one consumer's month it tells the sums. */
  Twin compareTwin(String consumer, YearMonth month) {
    ViewStore rows = twin.store();
    int wrong = 0;
    Map<String, OrderTruth> orders = journal.orderTruths();
    for (var order : orders.entrySet()) {
      OrderTruth told = rows.orders().find(key(order.getKey())).map(LabCheck::order).orElse(null);
      wrong += order.getValue().equals(told) ? 0 : 1;
    }
    Map<String, SpendingTruth> sums = journal.spendingTruths();
    for (var sum : sums.entrySet()) {
      SpendingTruth told = sum(rows.spending().find(key(sum.getKey())).orElse(null));
      wrong += sum.getValue().equals(told) ? 0 : 1;
    }
    String id = consumer + "/" + month;
    return new Twin(
        orders.size() + sums.size(),
        wrong,
        sums.get(id),
        sum(generations.current().spending().find(key(id)).orElse(null)),
        sum(rows.spending().find(key(id)).orElse(null)));
  }

  private static void list(OrderQueries queries, String consumer, Map<String, OrderTruth> into) {
    @Nullable PageToken token = null;
    do {
      Page page = queries.ofConsumer(consumer, OrderFilter.ALL, OrderQueries.MAX_LIMIT, token);
      page.orders().forEach(row -> into.put(row.orderId, order(row)));
      token = page.next().orElse(null);
    } while (token != null);
  }

  private static OrderTruth order(OrderView row) {
    return new OrderTruth(
        Objects.toString(row.consumerId),
        row.status,
        row.total,
        row.tips,
        row.refunded,
        row.timeline.size());
  }

  private static @Nullable SpendingTruth sum(@Nullable SpendingView row) {
    return row == null ? null : new SpendingTruth(row.orders, row.spent, row.tips, row.refunded);
  }
}
