package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.Key;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The requests that tracked calls send to one table. */
final class Writes<T> {
  private static final Converter NEUTRAL = Converter.NEUTRAL;
  private static final ReturnValuesOnConditionCheckFailure ALL_OLD =
      ReturnValuesOnConditionCheckFailure.ALL_OLD;

  private final Transport transport;
  private final String table;
  private final Mapping<T> mapping;
  private final Names names;
  private final Pressure pressure;

  Writes(Transport transport, String table, Mapping<T> mapping, Names names, Pressure pressure) {
    this.transport = transport;
    this.table = table;
    this.mapping = mapping;
    this.names = names;
    this.pressure = pressure;
  }

  /** The same requests, sent by another transport. */
  Writes<T> by(Transport other) {
    return new Writes<>(other, table, mapping, names, pressure);
  }

  Transport transport() {
    return transport;
  }

  String table() {
    return table;
  }

  /** A key as its item spells it; a bad one as it is, to be refused where it is used. */
  Key canonical(Key key) {
    try {
      return mapping.keys().keyOf(mapping.keys().of(key));
    } catch (IllegalArgumentException e) {
      return key;
    }
  }

  Pressure pressure() {
    return pressure;
  }

  Names names() {
    return names;
  }

  Mapping<T> mapping() {
    return mapping;
  }

  CompletableFuture<Item<T>> read(Key key, boolean consistent) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(mapping.keys().of(key))
            .consistentRead(consistent)
            .build();
    return transport
        .get(request)
        .thenApply(reply -> mapping.stored(key, reply.hasItem() ? reply.item() : Map.of()));
  }

  /** The update of a writer that has not read the entity. */
  ReadyWrite blind(Marking call, Edit edit) {
    Update update = new Update(mapping.keys().partition(), edit.prefix());
    Plan plan = call.blind(edit.rules().retired());
    update.require(plan.guard(), NEUTRAL);
    update.require(call.live(), NEUTRAL);
    if (edit.rules().creates()) {
      AttributeValue token = Values.toNative((Object) call.token());
      update.operations().copy(names.birth(), names.revision(), token);
    } else {
      update.requireExists(true);
    }
    edit.sums().bounds().forEach(bound -> update.require(bound, NEUTRAL));
    edit.actions().accept(update);
    update.change(plan.operations(), NEUTRAL);
    mapping.counters().moveOn(update.operations());
    return update(call.key(), update, edit);
  }

  /** The update of a writer that knows what is stored, unless something was written since. */
  ReadyWrite informed(Marking call, Item<T> stored, Edit edit) {
    Update update = new Update(mapping.keys().partition(), edit.prefix());
    Found<T> found = stored.found();
    requireUnchanged(update, call, stored);
    edit.actions().accept(update);
    if (edit.sums().overflow(stored.item())) {
      update.operations().fail();
    }
    Found.State state = found.state(names, call.now());
    List<Operation> operations = call.informed(call.marks(found), edit.rules().retired());
    if (state == Found.State.ABSENT) { // nothing of an expired tombstone is built upon
      operations = assigned(Evaluator.apply(operations, Map.of()));
    }
    Set<String> nulls = mapping.nullMarks(stored.item());
    operations = operations.stream().map(operation -> overwriting(operation, nulls)).toList();
    update.change(operations, NEUTRAL);
    if (state == Found.State.LIVE) {
      removeOthers(update, nulls, operations);
    } else {
      update.change(List.of(new Assign(Path.of(names.birth()), call.token())), NEUTRAL);
      Set<String> obsolete =
          state == Found.State.ABSENT ? found.marks().keySet() : Set.of(names.tombstone());
      removeOthers(update, found.exists() ? obsolete : Set.of(), operations);
    }
    mapping.counters().moveOn(update.operations());
    return update(call.key(), update, edit);
  }

  /** The same mark where NULL stands in its place, to which DynamoDB adds nothing. */
  private static Operation overwriting(Operation operation, Set<String> nulls) {
    if (!nulls.contains(operation.path().segments().get(0))) {
      return operation;
    }
    if (operation instanceof Operation.AddAll add) {
      return new Assign(add.path(), add.elements());
    }
    return operation instanceof Operation.AssignIfAbsent assign
        ? new Assign(assign.path(), assign.value())
        : operation;
  }

  private void requireUnchanged(Update update, Marking call, Item<T> stored) {
    boolean isNull = mapping.nullMarks(stored.item()).contains(names.revision());
    update.require(
        isNull
            ? Condition.attribute(Path.of(names.revision())).is(AttributeValue.fromNul(true))
            : call.unchangedSince(stored.found()),
        NEUTRAL);
    update.requireExists(stored.found().exists());
  }

  /**
   * Records messages on a tombstone, which stays what it is, unless something was written since.
   */
  ReadyWrite recorded(Marking call, Item<T> stored) {
    Update update = new Update(mapping.keys().partition(), "t");
    requireUnchanged(update, call, stored);
    Set<String> nulls = mapping.nullMarks(stored.item());
    update.change(
        call.recorded(stored.found().marks()).stream()
            .map(operation -> overwriting(operation, nulls))
            .toList(),
        NEUTRAL);
    UpdateItemRequest.Builder request =
        update
            .into(UpdateItemRequest.builder())
            .tableName(table)
            .key(mapping.keys().of(call.key()))
            .returnValues(ReturnValue.ALL_NEW)
            .returnValuesOnConditionCheckFailure(ALL_OLD);
    return attempts ->
        transport
            .update(request.copy().overrideConfiguration(attempts.observe(null)).build())
            .thenApply(UpdateItemResponse::attributes);
  }

  private static List<Operation> assigned(Map<String, Object> marks) {
    List<Operation> operations = new ArrayList<>();
    marks.forEach((name, value) -> operations.add(new Assign(Path.of(name), value)));
    return operations;
  }

  private void removeOthers(Update update, Set<String> attributes, List<Operation> operations) {
    Set<Path> written = new HashSet<>(operations.stream().map(Operation::path).toList());
    written.add(Path.of(names.birth()));
    attributes.stream()
        .map(Path::of)
        .filter(path -> !written.contains(path))
        .forEach(path -> update.change(List.of(new Remove(path)), NEUTRAL));
  }

  private ReadyWrite update(Key key, Update update, Edit edit) {
    UpdateItemRequest.Builder request =
        update
            .into(edit.request())
            .tableName(table)
            .key(mapping.keys().of(key))
            .returnValues(ReturnValue.ALL_NEW)
            .returnValuesOnConditionCheckFailure(ALL_OLD);
    AwsRequestOverrideConfiguration own =
        edit.template() == null ? null : edit.template().overrideConfiguration().orElse(null);
    return attempts ->
        transport
            .update(request.overrideConfiguration(attempts.observe(own)).build())
            .thenApply(UpdateItemResponse::attributes);
  }

  /** Puts a tombstone, which keeps nothing but key and marks, in place of the entity. */
  ReadyWrite tombstone(Marking call, Item<T> stored) {
    Map<String, AttributeValue> item =
        new LinkedHashMap<>(Values.toNative(call.tombstone(call.marks(stored.found()))));
    item.putAll(mapping.keys().of(call.key()));
    Update unchanged = unchanged(call, stored);
    String condition = unchanged.condition();
    Map<String, AttributeValue> values = unchanged.values(condition);
    PutItemRequest.Builder request =
        PutItemRequest.builder()
            .tableName(table)
            .item(item)
            .conditionExpression(condition)
            .expressionAttributeNames(unchanged.names(condition))
            .expressionAttributeValues(values.isEmpty() ? null : values)
            .returnValuesOnConditionCheckFailure(ALL_OLD);
    return attempts ->
        transport
            .put(request.copy().overrideConfiguration(attempts.observe(null)).build())
            .thenApply(reply -> item);
  }

  /** Deletes the record outright. */
  ReadyWrite removal(Marking call, Item<T> stored) {
    Update unchanged = unchanged(call, stored);
    String condition = unchanged.condition();
    Map<String, AttributeValue> values = unchanged.values(condition);
    DeleteItemRequest.Builder request =
        DeleteItemRequest.builder()
            .tableName(table)
            .key(mapping.keys().of(call.key()))
            .conditionExpression(condition)
            .expressionAttributeNames(unchanged.names(condition))
            .expressionAttributeValues(values.isEmpty() ? null : values)
            .returnValuesOnConditionCheckFailure(ALL_OLD);
    return attempts ->
        transport
            .delete(request.copy().overrideConfiguration(attempts.observe(null)).build())
            .thenApply(reply -> Map.of());
  }

  private Update unchanged(Marking call, Item<T> stored) {
    Update conditions = new Update(mapping.keys().partition(), "t");
    requireUnchanged(conditions, call, stored);
    return conditions;
  }

  /** Tells the entity that so few further sources fit that they have to be counted. */
  ReadyWrite flagFull(Marking call) {
    Update update = new Update(mapping.keys().partition(), "t");
    update.requireExists(true);
    update.change(List.of(new Assign(Path.of(names.full()), true)), NEUTRAL);
    UpdateItemRequest.Builder request =
        update
            .into(UpdateItemRequest.builder())
            .tableName(table)
            .key(mapping.keys().of(call.key()));
    return attempts -> transport.update(request.build()).thenApply(reply -> Map.of());
  }
}
