package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.PlainMessage;
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
 * What writes of a {@linkplain PlainMessage plain message} with the same expressions of the
 * caller's have in common: both expressions, and where the mark's name and the values that differ
 * stand in them.
 *
 * @param update the update expression
 * @param condition the condition expression
 * @param names all but those of the mark
 * @param marks the placeholders of the mark's names
 * @param suffixes what each of those has after the mark's own name
 * @param constants what else stands in the expressions beside the caller's values
 * @param placeholders those of {@code constants}, and then of {@code variables}
 * @param variables the places, among the values that differ, of those in the expressions
 */
record Template(
    String update,
    String condition,
    Map<String, String> names,
    List<String> marks,
    List<String> suffixes,
    List<AttributeValue> constants,
    List<String> placeholders,
    List<Integer> variables) {

  /**
   * Which writes have a template together.
   *
   * @param creates whether they create
   * @param byId whether they record a message ID
   */
  record Kind(boolean creates, boolean byId) {}

  /**
   * Learns from a model.
   *
   * @param model what was written into the update
   * @param callers values of the caller's own
   */
  static Template of(Update update, Marking model, Map<String, AttributeValue> callers) {
    PlainMessage message = Objects.requireNonNull(model.plain());
    Map<String, String> names = new LinkedHashMap<>(update.names());
    Map<String, String> suffixes = new LinkedHashMap<>();
    String mark = message.mark();
    if (mark != null) {
      names.forEach(
          (placeholder, name) -> {
            if (name.startsWith(mark)) {
              suffixes.put(placeholder, name.substring(mark.length()));
            }
          });
      names.keySet().removeAll(suffixes.keySet());
    }
    Map<String, AttributeValue> constants = new LinkedHashMap<>(update.aliases().values());
    constants.keySet().removeAll(callers.keySet());
    Map<String, Integer> variables = new LinkedHashMap<>();
    List<Object> differing = values(message, model.token());
    constants.forEach(
        (placeholder, value) -> {
          for (int i = 0; i < differing.size(); i++) {
            if (value.equals(Values.toNative(differing.get(i)))) {
              variables.putIfAbsent(placeholder, i);
            }
          }
        });
    constants.keySet().removeAll(variables.keySet());
    List<String> placeholders = new ArrayList<>(constants.keySet());
    placeholders.addAll(variables.keySet());
    return new Template(
        update.operations().render(),
        update.condition(),
        names,
        List.copyOf(suffixes.keySet()),
        List.copyOf(suffixes.values()),
        List.copyOf(constants.values()),
        placeholders,
        List.copyOf(variables.values()));
  }

  private static List<Object> values(PlainMessage message, ByteBuffer token) {
    List<Object> values = new ArrayList<>(message.values());
    values.add(token);
    return values;
  }

  /** Puts both expressions into a request, with what is behind their placeholders. */
  UpdateItemRequest.Builder fill(
      UpdateItemRequest.Builder request,
      PlainMessage message,
      ByteBuffer token,
      Map<String, AttributeValue> callers) {
    List<Object> differing = values(message, token);
    List<Object> own = new ArrayList<>(placeholders.size());
    own.addAll(constants);
    for (int variable : variables) {
      own.add(differing.get(variable));
    }
    Function<String, String> name = suffix -> message.mark() + suffix;
    return request
        .updateExpression(update)
        .conditionExpression(condition)
        .expressionAttributeNames(behind(names, suffixes, marks::get, name))
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
