package dev.tidemark.example.orderhistory.store;

import dev.tidemark.Decision;
import dev.tidemark.EntityStore;
import dev.tidemark.Write;
import dev.tidemark.example.orderhistory.Announcements;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.ViewStore;

/**
 * Rows that publish each change of their status in the write that makes it. A rebuild's do so only
 * where they have begun to speak for their order.
 */
final class AnnouncingOrders extends ChangedOrders {
  private final Announcements announcements;
  private final boolean begin;

  private AnnouncingOrders(EntityStore<OrderView> orders, int generation, boolean begin) {
    super(orders);
    this.announcements = new Announcements(generation);
    this.begin = begin;
  }

  /** Views of a generation, with such rows if they are to publish. */
  static ViewStore in(ViewStore views, int generation, boolean rebuilding, boolean announces) {
    return announces
        ? views.withOrders(new AnnouncingOrders(views.orders(), generation, !rebuilding))
        : views;
  }

  @Override
  Write.Action<OrderView> changed(Write.Action<OrderView> action) {
    return action instanceof Write.Action.Apply<OrderView> apply
        ? new Write.Action.Apply<>(
            apply.initialOrNull(), row -> announced(apply.function().apply(row)))
        : action; // no change of a sum is one of the status
  }

  private Decision<OrderView> announced(Decision<OrderView> decision) {
    return decision instanceof Decision.To<OrderView> to && to.published().isEmpty()
        ? announcements.announced(to.entity(), begin)
        : decision;
  }
}
