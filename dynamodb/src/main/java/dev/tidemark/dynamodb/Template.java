package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.PlainEvent;
import java.nio.ByteBuffer;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What writes of a {@linkplain PlainEvent plain event} with the same expressions of the caller's
 * have in common: both expressions, and where the mark's name, the position and the token stand in
 * them.
 *
 * @param update the update expression
 * @param condition the condition expression
 * @param names all but those of the mark
 * @param marks the placeholders of the mark's names
 * @param suffixes what each of those has after the mark's own name
 * @param placeholders those of {@code constants}, of the position and of the token, in this order
 * @param constants what else stands in the expressions beside the caller's values
 */
record Template(
    String update,
    String condition,
    Map<String, String> names,
    List<String> marks,
    List<String> suffixes,
    List<String> placeholders,
    List<AttributeValue> constants) {

  /**
   * Learns from a model.
   *
   * @param model what was written into the update
   * @param callers values of the caller's own
   */
  static Template of(Update update, Marking model, Map<String, AttributeValue> callers) {
    PlainEvent event = Objects.requireNonNull(model.plain());
    Map<String, String> names = new LinkedHashMap<>(update.names());
    Map<String, AttributeValue> values = new LinkedHashMap<>(update.aliases().values());
    values.keySet().removeAll(callers.keySet());
    Map<String, String> suffixes = new LinkedHashMap<>();
    names.forEach(
        (placeholder, name) -> {
          if (name.startsWith(event.mark())) {
            suffixes.put(placeholder, name.substring(event.mark().length()));
          }
        });
    names.keySet().removeAll(suffixes.keySet());
    String position = taken(values, Values.toNative(event.position()));
    String token = taken(values, Values.toNative(model.token()));
    List<AttributeValue> constants = List.copyOf(values.values());
    List<String> placeholders = new ArrayList<>(values.keySet());
    placeholders.addAll(List.of(position, token));
    return new Template(
        update.operations().render(),
        update.condition(),
        names,
        List.copyOf(suffixes.keySet()),
        List.copyOf(suffixes.values()),
        placeholders,
        constants);
  }

  /** Takes out the only placeholder that something is behind. */
  private static String taken(Map<String, AttributeValue> all, AttributeValue what) {
    List<String> found =
        all.keySet().stream().filter(placeholder -> what.equals(all.get(placeholder))).toList();
    if (found.size() != 1) {
      throw new IllegalStateException("a plain write has %d places".formatted(found.size()));
    }
    all.remove(found.get(0));
    return found.get(0);
  }

  /** Puts both expressions into a request, with what is behind their placeholders. */
  UpdateItemRequest.Builder fill(
      UpdateItemRequest.Builder request,
      PlainEvent event,
      ByteBuffer token,
      Map<String, AttributeValue> callers) {
    List<Object> own = new ArrayList<>(placeholders.size());
    own.addAll(constants);
    own.add(event.position());
    own.add(token);
    return request
        .updateExpression(update)
        .conditionExpression(condition)
        .expressionAttributeNames(behind(names, suffixes, marks::get, event.mark()::concat))
        .expressionAttributeValues(behind(callers, own, placeholders::get, Values::toNative));
  }

  /** What is behind placeholders. The SDK's builders copy it, so this is no copy. */
  private static <O, V> Map<String, V> behind(
      Map<String, V> given, List<O> own, IntFunction<String> placeholder, Function<O, V> form) {
    return new AbstractMap<>() {
      @Override
      public int size() {
        return given.size() + own.size();
      }

      @Override
      public void forEach(BiConsumer<? super String, ? super V> action) {
        given.forEach(action);
        for (int i = 0; i < own.size(); i++) {
          action.accept(placeholder.apply(i), form.apply(own.get(i)));
        }
      }

      @Override
      public Set<Map.Entry<String, V>> entrySet() {
        Map<String, V> all = new LinkedHashMap<>();
        forEach(all::put);
        return all.entrySet();
      }
    };
  }
}
