package dev.tidemark.lab.checkout;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Compares what the payment provider counted with what clients were told. */
final class Audit {
  private Audit() {}

  /**
   * What is wrong.
   *
   * @param orders all of them
   * @param effects of one kind, by order, as the provider counted
   * @param isOver whether every order must have had its effect by now
   * @return orders that had the effect twice, or that have a receipt and had none, or different
   *     ones; and effects of no order
   */
  static Set<String> wrong(Collection<Order> orders, Map<String, Integer> effects, boolean isOver) {
    Set<String> wrong = new TreeSet<>();
    Set<String> unknown = new HashSet<>(effects.keySet());
    for (Order order : orders) {
      unknown.remove(order.id());
      int count = effects.getOrDefault(order.id(), 0);
      if (count > 1 || (count == 0 && (isOver || order.isDone())) || !order.isAlike()) {
        wrong.add(order.key());
      }
    }
    wrong.addAll(unknown);
    return wrong;
  }
}
