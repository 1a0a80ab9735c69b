package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Operation;
import dev.tidemark.kernel.Evaluator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What an update does beside tracking: its own condition and its own actions.
 *
 * @param rules whether it creates, revives, retires sources, records what it refuses
 * @param conditional whether it has a condition of its own
 * @param prefix of tracking's placeholders, such that the caller's own do not start with it
 * @param touched the attributes that the actions may write
 * @param sums which whole numbers must not overflow
 * @param actions adds condition and actions to a write
 * @param template the caller's request, whose settings the write keeps; null if there is none
 */
record Edit(
    Change rules,
    boolean conditional,
    String prefix,
    Set<String> touched,
    Sums sums,
    Consumer<Update> actions,
    @Nullable UpdateItemRequest template) {

  /** Of what has no placeholders of its own. */
  static final String PREFIX = "t";

  /** Nothing: the messages are recorded. */
  static final Edit NOTHING = of(List.of());

  /** A portable change, which keeps whole numbers within the classes of their attributes. */
  static Edit of(Change change, Properties properties) {
    if (change == null) {
      throw new IllegalArgumentException("change must not be null");
    }
    change.operations().forEach(operation -> properties.checkMapped(operation.path()));
    change.condition().ifPresent(rule -> Evaluator.paths(rule).forEach(properties::checkMapped));
    return new Edit(
        change,
        change.condition().isPresent(),
        PREFIX,
        touched(change.operations()),
        Sums.of(change.operations(), properties),
        update -> {
          change.condition().ifPresent(condition -> update.require(condition, properties));
          update.operations().addAll(change.operations(), properties);
        },
        null);
  }

  /** Operations whose values are DynamoDB's already. */
  static Edit of(List<Operation> operations) {
    return new Edit(
        Change.change(),
        false,
        PREFIX,
        touched(operations),
        Sums.NONE,
        update -> update.change(operations),
        null);
  }

  /** The same settings, recording the message alone. */
  Edit recording() {
    return new Edit(Change.change(), false, PREFIX, Set.of(), Sums.NONE, update -> {}, template);
  }

  static Set<String> touched(List<Operation> operations) {
    return operations.stream()
        .map(operation -> operation.path().segments().get(0))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether it changes nothing of an item that is there, but for what tracking owns. */
  boolean recordsOnly() {
    return touched.isEmpty() && rules.retired().isEmpty();
  }

  /** The caller's request, or a new one. */
  UpdateItemRequest.Builder request() {
    return template == null ? UpdateItemRequest.builder() : template.toBuilder();
  }
}
