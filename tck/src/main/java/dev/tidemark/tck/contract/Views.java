package dev.tidemark.tck.contract;

import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Functions over views, which they change in place. */
final class Views {
  private Views() {}

  static View placed() {
    View view = new View();
    view.setStatus("PLACED");
    return view;
  }

  static View paid(View view) {
    view.setStatus("PAID");
    return view;
  }

  /** Counts in the total. */
  static View counted(View view) {
    Long total = view.getTotal();
    view.setTotal(total == null ? 1 : total + 1);
    return view;
  }

  static View full(View view) {
    view.setAddress(Map.of("city", "Ulm", "$zip.x", "%"));
    view.setLines(List.of("b", "a", "b"));
    view.setTags(Set.of("x", "$y"));
    return view;
  }

  /** What a function must not give. */
  @SuppressWarnings("NullAway")
  static View nothing(View view) {
    return null;
  }
}
