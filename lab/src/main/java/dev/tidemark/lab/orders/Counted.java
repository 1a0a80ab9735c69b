package dev.tidemark.lab.orders;

import dev.tidemark.EntityStore;
import dev.tidemark.Result;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.ViewStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Tells what becomes of deliveries in the order history, batch by batch, whoever keeps it. */
final class Counted {
  private Counted() {}

  /** The same views, which tell. */
  static ViewStore views(ViewStore views, Consumer<Map<String, Long>> counts) {
    return views.withOrders(orders(views.orders(), counts));
  }

  @SuppressWarnings("unchecked") // the methods are the interface's own
  private static EntityStore<OrderView> orders(
      EntityStore<OrderView> store, Consumer<Map<String, Long>> counts) {
    return (EntityStore<OrderView>)
        Proxy.newProxyInstance(
            Counted.class.getClassLoader(),
            new Class<?>[] {EntityStore.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(store, arguments);
                if (method.getName().equals("writeAll")) {
                  counts.accept(arms((List<Result<OrderView>>) answer));
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Map<String, Long> arms(List<Result<OrderView>> results) {
    Map<String, Long> arms = new TreeMap<>();
    results.forEach(result -> arms.merge(arm(result), 1L, Long::sum));
    return arms;
  }

  private static String arm(Result<?> result) {
    return result instanceof Result.Judged<?> judged
        ? judged.outcome().getClass().getSimpleName()
        : result.getClass().getSimpleName();
  }
}
