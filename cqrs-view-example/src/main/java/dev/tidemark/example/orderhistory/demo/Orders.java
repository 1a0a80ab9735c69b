package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.Collection;
import java.util.function.Consumer;

/** Two tables or collections of order views on one store, one of them kept without tracking. */
interface Orders extends AutoCloseable {

  /** The store's name in the report. */
  String store();

  /** Where the store is, to be told once. */
  String origin();

  /** The views that remember their events. */
  EntityStore<OrderView> tracked();

  /** What handlers look like without: each event changes its view, whether for the first time. */
  Consumer<OrderEvent> untracked();

  /** All views, read past the library. */
  Collection<OrderView> views(boolean tracked);

  @Override
  void close();
}
