package dev.tidemark.example.orderhistory.host;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.tidemark.example.orderhistory.OrderQueries.Page;
import dev.tidemark.example.orderhistory.SpendingView;
import java.time.YearMonth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the HTTP API answers: the views without what only the service needs. Sums are in cents. */
final class Bodies {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();
  private static final TypeReference<LinkedHashMap<String, Object>> COLUMNS =
      new TypeReference<>() {};
  private static final Set<String> OWN =
      Set.of("keywords", "resumeToken", "announced", "announcements", "successor");

  private Bodies() {}

  /**
   * A row by its columns. A new column is there at once; what is the service's own affair is not:
   * the versions that columns are of, and what {@link #OWN} names.
   */
  static Map<String, Object> columns(Object row) {
    Map<String, Object> columns = JSON.convertValue(row, COLUMNS);
    columns.keySet().removeIf(name -> name.endsWith("Version") || OWN.contains(name));
    return columns;
  }

  record Orders(List<Map<String, Object>> orders, @Nullable String nextPageToken) {
    static Orders of(Page page) {
      return new Orders(
          page.orders().stream().map(Bodies::columns).toList(), page.next().orElse(null));
    }
  }

  record Spending(
      String consumerId, String month, long orders, long spent, long tips, long refunded) {
    static Spending of(String consumerId, YearMonth month, @Nullable SpendingView row) {
      return row == null
          ? new Spending(consumerId, month.toString(), 0, 0, 0, 0)
          : new Spending(
              consumerId,
              month.toString(),
              row.getOrders(),
              row.getSpent(),
              row.getTips(),
              row.getRefunded());
    }
  }
}
