package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.projector.Delivery;
import java.util.List;

/**
 * The same views without tracking, in tables of their own, which get the same deliveries by the
 * same projectors. Its writes do not pass the trouble that the lab makes with the store.
 */
final class LabTwin implements AutoCloseable {
  private final OpenViews rows;
  private final Views views;

  LabTwin(OpenViews rows) {
    this.rows = rows;
    this.views = new Views(rows.store());
  }

  void apply(List<Delivery> batch) {
    var unused = views.apply(batch);
  }

  /** Its rows. */
  OpenViews rows() {
    return rows;
  }

  @Override
  public void close() {
    rows.close();
  }
}
