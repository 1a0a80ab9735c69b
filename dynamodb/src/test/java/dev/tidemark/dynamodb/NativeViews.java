package dev.tidemark.dynamodb;

import dev.tidemark.tck.View;

/** Functions over views. */
final class NativeViews {
  private NativeViews() {}

  static View counted(View view) {
    Long total = view.getTotal();
    view.setTotal(total == null ? 1 : total + 1);
    return view;
  }
}
