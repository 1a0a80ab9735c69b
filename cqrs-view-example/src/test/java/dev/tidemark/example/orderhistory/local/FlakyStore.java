package dev.tidemark.example.orderhistory.local;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.ViewStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * A store whose history of some orders is out of reach: their writes get the faults, and hold back
 * what follows in a lane of writes, as they do where a partition of the real store throttles.
 */
public final class FlakyStore {
  /** The orders that cannot be written now. */
  public final Set<EntityKey> down = ConcurrentHashMap.newKeySet();

  private final ViewStore views;
  private final RuntimeException fault;

  /** All orders can be written at first. */
  public FlakyStore(ViewStore views) {
    this(views, SdkClientException.create("out of reach"));
  }

  /** The same, whose writes fail by something else. */
  public FlakyStore(ViewStore views, RuntimeException fault) {
    this.views = views.withOrders(flaky(views.orders()));
    this.fault = fault;
  }

  /** The views, as far as they are in reach. */
  public ViewStore views() {
    return views;
  }

  @SuppressWarnings("unchecked") // the methods are the interface's own
  private EntityStore<OrderView> flaky(EntityStore<OrderView> real) {
    return (EntityStore<OrderView>)
        Proxy.newProxyInstance(
            FlakyStore.class.getClassLoader(),
            new Class<?>[] {EntityStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("writeAll")) {
                return writeAll(real, (List<Write<OrderView>>) arguments[0]);
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private List<Result<OrderView>> writeAll(
      EntityStore<OrderView> real, List<Write<OrderView>> writes) {
    Map<String, Message> stopped = new HashMap<>();
    List<@Nullable Result<OrderView>> refused = new ArrayList<>();
    List<Write<OrderView>> made = new ArrayList<>();
    for (Write<OrderView> write : writes) {
      Message behind = stopped.get(write.lane().orElse(""));
      if (behind != null) {
        refused.add(new Result.HeldBack<>(behind));
      } else if (down.contains(write.key())) {
        refused.add(new Result.Failed<>(fault));
        write.lane().ifPresent(lane -> stopped.put(lane, write.message()));
      } else {
        refused.add(null);
        made.add(write);
      }
    }
    List<Result<OrderView>> written = new ArrayList<>(real.writeAll(made));
    return refused.stream().map(result -> result != null ? result : written.remove(0)).toList();
  }
}
