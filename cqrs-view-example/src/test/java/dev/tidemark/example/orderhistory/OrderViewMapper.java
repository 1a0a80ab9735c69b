package dev.tidemark.example.orderhistory;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.Key;
import dev.tidemark.Operation;
import dev.tidemark.tck.ReferenceMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Maps order views for the store in memory, as the stores' own mappers do. */
final class OrderViewMapper implements ReferenceMapper<OrderView> {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  @Override
  public Map<String, Object> attributes(OrderView view) {
    Map<String, Object> attributes = JSON.convertValue(view, new TypeReference<>() {});
    attributes.remove("orderId");
    attributes.values().removeIf(Objects::isNull);
    return attributes;
  }

  @Override
  public OrderView entity(Key key, Map<String, Object> attributes) {
    Map<String, Object> all = new LinkedHashMap<>(attributes);
    all.put("orderId", key.parts().get(0));
    return JSON.convertValue(all, OrderView.class);
  }

  @Override
  public Key key(OrderView view) {
    return Key.key(view.getOrderId());
  }

  @Override
  public void check(Operation operation) {}
}
