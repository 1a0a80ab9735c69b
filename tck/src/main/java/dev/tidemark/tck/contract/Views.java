package dev.tidemark.tck.contract;

import dev.tidemark.tck.View;

/** Functions over views. */
final class Views {
  private Views() {}

  /** Sets the status, in place. */
  static View paid(View view) {
    view.setStatus("PAID");
    return view;
  }

  /** Counts in the total, in place. */
  static View counted(View view) {
    Long total = view.getTotal();
    view.setTotal(total == null ? 1 : total + 1);
    return view;
  }
}
