package dev.tidemark.lab.transfers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The truth: what every row has to be once all transfers are made, each of them once. */
final class Books {
  private final Map<String, Long> cents = new HashMap<>();
  private final Map<String, Long> times = new HashMap<>();
  private final Collection<Transfer> transfers;

  Books(Collection<Transfer> transfers) {
    this.transfers = transfers;
    for (Transfer transfer : transfers) {
      transfer
          .changes()
          .forEach(
              (id, by) -> {
                cents.merge(id, by, Long::sum);
                times.merge(id, 1L, Long::sum);
              });
    }
  }

  /** What is wrong: of rows, and of what deliveries were told. */
  List<String> wrong(Map<String, Account> rows) {
    List<String> wrong = new ArrayList<>();
    Set<String> ids = new HashSet<>(rows.keySet());
    ids.addAll(cents.keySet());
    for (String id : ids) {
      Account row = rows.getOrDefault(id, new Account());
      long should = cents.getOrDefault(id, 0L);
      long changes = times.getOrDefault(id, 0L);
      if (row.getCents() != should || row.getTimes() != changes) {
        wrong.add(
            "%s has %,d cents by %d changes, not %,d by %d"
                .formatted(id, row.getCents(), row.getTimes(), should, changes));
      }
    }
    transfers.stream()
        .filter(transfer -> transfer.isDone() && !transfer.wasToldRight())
        .forEach(transfer -> wrong.add("told of " + transfer));
    return wrong;
  }
}
