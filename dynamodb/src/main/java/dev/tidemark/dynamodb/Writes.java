package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.PlainMessage;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Requirement;
import dev.tidemark.kernel.Transition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Gives the requests of runs DynamoDB's form, an update, put or delete of one item on a condition,
 * and tells what DynamoDB's answers to them mean. It sends none of them, so that what it makes can
 * be sent, or be a part of a transaction.
 *
 * @param table the name of the table
 * @param mapping maps its items
 * @param watches whether the store has a use for every item that a write leaves
 * @param transacted whether the requests are parts of transactions, of which no reply brings an
 *     item: what a write leaves cannot be counted then
 */
record Writes<T>(String table, Mapping<T> mapping, boolean watches, boolean transacted) {
  private static final ReturnValuesOnConditionCheckFailure ALL_OLD =
      ReturnValuesOnConditionCheckFailure.ALL_OLD;

  /** Of a store that sends them itself. */
  Writes(String table, Mapping<T> mapping, boolean watches) {
    this(table, mapping, watches, false);
  }

  /** The same for transactions. */
  Writes<T> inTransaction() {
    return new Writes<>(table, mapping, watches, true);
  }

  private Names names() {
    return mapping.names();
  }

  /** Reads the item of an entity. */
  GetItemRequest read(EntityKey key, boolean consistent) {
    return GetItemRequest.builder()
        .tableName(table)
        .key(mapping.keys().of(key))
        .consistentRead(consistent)
        .build();
  }

  /** The same request in DynamoDB's form. */
  DynamoDbRequest form(Request<T> request) {
    Item<T> over = (Item<T>) request.over();
    Marking marking = request.marking();
    Effect<T> effect = request.effect();
    if (effect instanceof Effect.Flag) {
      return form(request, marking.sources().flag());
    }
    if (over == null) {
      return blind(request, edit(request));
    }
    Transition transition = Transition.of(request);
    return switch (transition.kind()) {
      case BURIES -> tombstone(transition, marking, over);
      case REMOVES -> removal(marking, over);
      case RECORDS -> { // which stays what it is
        Update update = unchanged(marking, over, Expressions.PREFIX);
        update.change(overwriting(transition.changes(), over));
        yield update(request, update, Edit.NOTHING);
      }
      case BEGINS, GOES_ON, REVIVES -> informed(request, transition, over, edit(request));
    };
  }

  /** The update that makes room in an item for a message ID, and does not record it. */
  UpdateItemRequest room(NoRoom none) {
    Request<T> nothing = new Request<>(none.marking(), null, new Effect.Flag<>());
    return form(nothing, none.marking().room(none.found()));
  }

  private UpdateItemRequest form(Request<T> request, Plan marks) {
    Update update = update(Expressions.PREFIX);
    update.require(marks.guard());
    update.change(marks.operations());
    return update(request, update, Edit.NOTHING);
  }

  private Update update(String prefix) {
    return new Update(mapping.keys().partition(), prefix);
  }

  /** What the request does beside its marks. */
  Edit edit(Request<T> request) {
    Effect<T> effect = request.effect();
    if (effect instanceof Effect.Changes<T> changes) {
      return Edit.of(changes.change(), mapping.properties());
    }
    if (effect instanceof Effect.Own<T> own) {
      return own.update() instanceof RefusedWrites.Refused<?> refused
          ? refused.again(Objects.requireNonNull(request.over()).found(), request.marking())
          : (Edit) own.update();
    }
    if (effect instanceof Effect.Called<T> called) {
      return Edit.of(((Item.Functions<T>) called.functions()).difference());
    }
    return effect instanceof Effect.Nothing<T> nothing && nothing.refused() != null
        ? ((Edit) nothing.refused().update()).recording()
        : Edit.NOTHING;
  }

  /** The update of a writer that has not read the entity. */
  private UpdateItemRequest blind(Request<T> request, Edit edit) {
    Marking marking = request.marking();
    Requirement required = Requirement.of(request);
    PlainMessage message = edit.hasTemplates() ? marking.plain() : null;
    boolean varies =
        !edit.rules().retired().isEmpty() || mapping.counters().hasTimes() || required.bringsNone();
    if (message == null || varies) {
      return update(request, blind(marking, required, edit), edit);
    }
    Map<String, AttributeValue> values = edit.own().values();
    Map<Template.Kind, Template> templates = edit.own().expressions().templates();
    Template.Kind kind = new Template.Kind(edit.rules().creates(), message.mark() == null);
    Template template = templates.get(kind);
    if (template == null) {
      Marking model = marking.model();
      Request<T> example = new Request<>(model, null, request.effect());
      template = Template.of(blind(model, Requirement.of(example), edit), model, values);
      templates.put(kind, template);
    }
    return sent(request, template.fill(edit.request(), message, marking.token(), values), edit);
  }

  private Update blind(Marking marking, Requirement required, Edit edit) {
    Update update = update(edit.prefix());
    Plan plan = required.marks();
    update.require(plan.guard());
    Condition absent = Condition.attribute(Path.of(mapping.keys().partition())).isMissing();
    update.require(required.passesAbsent() ? absent.or(required.open()) : required.open());
    if (edit.rules().creates()) {
      update.operations().copy(names().birth(), names().revision(), marking.token());
    }
    edit.requireShape(update);
    edit.accept(update);
    update.change(plan.operations());
    moveOn(update, marking);
    return update;
  }

  /** The update of a writer that knows what is stored, unless something was written since. */
  private UpdateItemRequest informed(
      Request<T> request, Transition transition, Item<T> over, Edit edit) {
    Marking marking = request.marking();
    Update update = unchanged(marking, over, edit.prefix());
    Edit changed =
        transition.isOfLive() ? edit.over(over.attributes()) : edit.overNothing(mapping.keys());
    changed.accept(update);
    if (edit.sums().overflow(over.attributes())) {
      update.operations().overflow();
    }
    boolean begins = transition.replaces();
    List<Operation> operations =
        overwriting(begins ? assigned(transition.all()) : transition.changes(), over);
    update.change(operations);
    removeOthers(
        update,
        begins ? over.found().marks().keySet() : mapping.nullMarks(over.attributes()),
        operations);
    moveOn(update, marking);
    return update(request, update, edit);
  }

  private void moveOn(Update update, Marking marking) {
    mapping.counters().moveOn(update.operations(), marking.now(), marking.messages().size());
  }

  private static List<Operation> assigned(Map<String, Object> marks) {
    List<Operation> operations = new ArrayList<>();
    marks.forEach((name, value) -> operations.add(Operation.assign(Path.of(name), value)));
    return operations;
  }

  /** The same marks, also where NULL stands in their place, to which DynamoDB adds nothing. */
  private List<Operation> overwriting(List<Operation> operations, Item<T> over) {
    Set<String> nulls = mapping.nullMarks(over.attributes());
    return operations.stream()
        .map(
            operation ->
                nulls.contains(operation.path().segments().get(0))
                    ? overwriting(operation)
                    : operation)
        .toList();
  }

  /** What replaces whatever is there; the others do so by themselves. */
  private static Operation overwriting(Operation operation) {
    return switch (operation.kind()) {
      case ASSIGN_IF_ABSENT, ADD_ALL, APPEND_ALL ->
          Operation.assign(operation.path(), operation.value());
      case ASSIGN, INCREASE, REMOVE_ALL, REMOVE -> operation;
    };
  }

  /** What is to be written if nothing was written since something was read. */
  private Update unchanged(Marking marking, Item<T> over, String prefix) {
    Update update = update(prefix);
    boolean isNull = mapping.nullMarks(over.attributes()).contains(names().revision());
    update.require(
        isNull
            ? Condition.attribute(Path.of(names().revision())).is(AttributeValue.fromNul(true))
            : marking.unchangedSince(over.found()));
    update.requireExists(over.found().exists());
    return update;
  }

  private void removeOthers(Update update, Set<String> attributes, List<Operation> operations) {
    Set<Path> written = new HashSet<>(operations.stream().map(Operation::path).toList());
    written.add(Path.of(names().birth()));
    attributes.stream()
        .map(Path::of)
        .filter(path -> !written.contains(path))
        .forEach(path -> update.change(List.of(Operation.remove(path))));
  }

  private UpdateItemRequest update(Request<T> request, Update update, Edit edit) {
    UpdateItemRequest.Builder builder =
        edit.request()
            .updateExpression(update.operations().render())
            .conditionExpression(update.condition())
            .expressionAttributeNames(update.names())
            .expressionAttributeValues(update.values());
    return sent(request, builder, edit);
  }

  private UpdateItemRequest sent(
      Request<T> request, UpdateItemRequest.Builder expressions, Edit edit) {
    return expressions
        .tableName(table)
        .key(mapping.keys().of(request.marking().key()))
        .returnValues(wants(request, edit) ? ReturnValue.ALL_NEW : ReturnValue.NONE)
        .returnValuesOnConditionCheckFailure(ALL_OLD)
        .build();
  }

  /** Whether the item that a write leaves is wanted: one that creates is told by it. */
  private boolean wants(Request<T> request, Edit edit) {
    boolean creates = request.over() == null && edit.rules().creates();
    return watches || creates || request.returns() || request.tells();
  }

  /** Puts a tombstone, which keeps nothing but key and marks, in place of the entity. */
  private PutItemRequest tombstone(Transition transition, Marking marking, Item<T> over) {
    Update unchanged = unchanged(marking, over, Expressions.PREFIX);
    requireSameOutbox(unchanged, over);
    Map<String, AttributeValue> item = Values.toNative(transition.all());
    item.putAll(mapping.keys().of(marking.key()));
    return PutItemRequest.builder()
        .tableName(table)
        .item(item)
        .conditionExpression(unchanged.condition())
        .expressionAttributeNames(unchanged.names())
        .expressionAttributeValues(unchanged.values())
        .returnValuesOnConditionCheckFailure(ALL_OLD)
        .build();
  }

  /** A relay takes messages away without a new revision; a whole item must not bring them back. */
  private void requireSameOutbox(Update update, Item<T> over) {
    for (String name : List.of(names().outbox(), names().outboxParked())) {
      AttributeValue messages = over.attributes().get(name);
      if (messages != null) {
        update.require(Condition.attribute(Path.of(name)).is(messages));
      }
    }
  }

  /** Deletes the record outright. */
  private DeleteItemRequest removal(Marking marking, Item<T> over) {
    Update unchanged = unchanged(marking, over, Expressions.PREFIX);
    return DeleteItemRequest.builder()
        .tableName(table)
        .key(mapping.keys().of(marking.key()))
        .conditionExpression(unchanged.condition())
        .expressionAttributeNames(unchanged.names())
        .expressionAttributeValues(unchanged.values())
        .returnValuesOnConditionCheckFailure(ALL_OLD)
        .build();
  }

  /** The reply to a write that was carried out, with the item after it, which may be empty. */
  Reply<T> accepted(Request<T> request, Map<String, AttributeValue> after) {
    if (after.isEmpty()) { // as of a transaction: what functions left is known all the same
      T left = request.effect() instanceof Effect.Called<T> it ? it.functions().entity() : null;
      return new Reply.Accepted<>(false, left, Map.of(), -1);
    }
    boolean created = false;
    if (request.over() == null) {
      AttributeValue token = Values.toNative(request.marking().token());
      created = request.rules().creates() && token.equals(after.get(names().birth()));
    }
    boolean gone = mapping.isGone(after);
    return new Reply.Accepted<>(
        created,
        gone || !request.returns() ? null : mapping.entityIfMapped(after),
        Values.toNeutral(after, names()::isMark),
        gone ? -1 : names().countSources(after.keySet()));
  }

  /**
   * The reply to a write whose condition was false, with the item that it was false of. Without one
   * that is no proof that there is none: not every server sends it.
   */
  Reply<T> refused(Request<T> request, Map<String, AttributeValue> refusal) {
    return new Reply.Refused<>(
        refusal.isEmpty() ? null : mapping.item(request.marking().key(), refusal), null);
  }
}
