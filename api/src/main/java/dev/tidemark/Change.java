package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one message changes in one entity, the same on every store: {@code change().set("status",
 * "PAID").add("total", 25).onlyIf(attribute("status").is("PLACED"))}. Immutable; each method
 * returns a new change, with copies of the bytes and of Java's own collections that it is given. A
 * value of another class that can change, such as a driver's document, must be left as it is until
 * the call has ended.
 *
 * <p>Dots in a name lead into nested maps, which must exist unless the change says {@link
 * #createParents()}. Operations are unordered: two of them may not touch the same path or a path
 * inside it. Attributes that tracking owns, and the key, cannot be changed, and no condition asks
 * for the former. A stored value that an operation does not fit (a number to add to that is a
 * string, a parent that is missing) raises {@link InvalidChangeException} with nothing written.
 */
public final class Change implements EntityUpdate {
  private static final Change NOTHING = new Change(List.of(), null, Rules.defaults(), false);

  private final List<Operation> operations;
  private final @Nullable Condition onlyIf;
  private final Rules rules;
  private final boolean createsParents;

  private Change(
      List<Operation> operations, @Nullable Condition onlyIf, Rules rules, boolean createsParents) {
    this.operations = operations;
    this.onlyIf = onlyIf;
    this.rules = rules;
    this.createsParents = createsParents;
  }

  /**
   * Starts a change of an entity that must exist. A change without operations records the message
   * alone: {@link Outcome.Recorded}.
   *
   * @return the start of a change
   */
  public static Change change() {
    return NOTHING;
  }

  /**
   * Sets an attribute.
   *
   * @param path its name; dots lead into nested maps
   * @param value not null
   * @return this change and that
   */
  public Change set(String path, Object value) {
    return set(Path.parse(path), value);
  }

  /**
   * Sets an attribute.
   *
   * @param path where it stands
   * @param value not null
   * @return this change and that
   */
  public Change set(Path path, Object value) {
    return with(Operation.assign(path, Values.any(path, value)));
  }

  /**
   * Sets an attribute only if it is missing. Together with {@link #createIfMissing()}, this gives a
   * new entity its initial values.
   *
   * @param path its name; dots lead into nested maps
   * @param value not null
   * @return this change and that
   */
  public Change setIfAbsent(String path, Object value) {
    return setIfAbsent(Path.parse(path), value);
  }

  /**
   * Sets an attribute where it is missing.
   *
   * @param path where it stands
   * @param value not null
   * @return this change and that
   */
  public Change setIfAbsent(Path path, Object value) {
    return with(Operation.assignIfAbsent(path, Values.any(path, value)));
  }

  /**
   * Adds to a number; a missing one counts as 0. Whole numbers stay whole; one that no longer fits
   * the store's type raises {@link InvalidChangeException}. So does a stored number that is not
   * finite, and a sum that would not be.
   *
   * @param path its name; dots lead into nested maps
   * @param amount may be negative
   * @return this change and that
   */
  public Change add(String path, Number amount) {
    return add(Path.parse(path), amount);
  }

  /**
   * Adds to a number.
   *
   * @param path where it stands
   * @param amount may be negative
   * @return this change and that
   */
  public Change add(Path path, Number amount) {
    return with(new Operation(Operation.Kind.INCREASE, path, Values.amount(path, amount)));
  }

  /**
   * Appends elements to a list; a missing one counts as empty.
   *
   * @param path its name; dots lead into nested maps
   * @param elements at least one
   * @return this change and that
   */
  public Change append(String path, Object... elements) {
    return append(Path.parse(path), elements);
  }

  /**
   * Appends elements to a list.
   *
   * @param path where it stands
   * @param elements at least one
   * @return this change and that
   */
  public Change append(Path path, Object... elements) {
    return with(new Operation(Operation.Kind.APPEND_ALL, path, elements("append", path, elements)));
  }

  /**
   * Adds elements to a set; a missing one counts as empty.
   *
   * @param path its name; dots lead into nested maps
   * @param elements at least one, all strings, all numbers or all bytes
   * @return this change and that
   */
  public Change addToSet(String path, Object... elements) {
    return addToSet(Path.parse(path), elements);
  }

  /**
   * Adds elements to a set.
   *
   * @param path where it stands
   * @param elements at least one, all strings, all numbers or all bytes
   * @return this change and that
   */
  public Change addToSet(Path path, Object... elements) {
    return with(
        new Operation(
            Operation.Kind.ADD_ALL, path, set(path, elements("addToSet", path, elements))));
  }

  /**
   * Removes elements from a set; a set that becomes empty is removed.
   *
   * @param path its name; dots lead into nested maps
   * @param elements at least one, all strings, all numbers or all bytes
   * @return this change and that
   */
  public Change removeFromSet(String path, Object... elements) {
    return removeFromSet(Path.parse(path), elements);
  }

  /**
   * Removes elements from a set.
   *
   * @param path where it stands
   * @param elements at least one, all strings, all numbers or all bytes
   * @return this change and that
   */
  public Change removeFromSet(Path path, Object... elements) {
    return with(
        new Operation(
            Operation.Kind.REMOVE_ALL, path, set(path, elements("removeFromSet", path, elements))));
  }

  /**
   * Removes an attribute; nothing happens where there is none.
   *
   * @param path its name; dots lead into nested maps
   * @return this change and that
   */
  public Change remove(String path) {
    return remove(Path.parse(path));
  }

  /**
   * Removes an attribute.
   *
   * @param path where it stands
   * @return this change and that
   */
  public Change remove(Path path) {
    return with(Operation.remove(path));
  }

  /**
   * Makes the change only if a condition is true of the stored entity, else {@link
   * Outcome.Refused}. Several calls add up: all must be true. A message that the entity remembers
   * is a duplicate even if the condition is now false.
   *
   * @param condition the rule
   * @return this change under that condition
   * @throws IllegalArgumentException if the condition is null; null does not mean a condition that
   *     is always true
   */
  public Change onlyIf(Condition condition) {
    Text.given("the condition of onlyIf()", condition);
    Condition both = onlyIf == null ? condition : onlyIf.and(condition);
    return new Change(operations, both, rules, createsParents);
  }

  /**
   * Records the message even if the condition of {@link #onlyIf} is false, so that a redelivery of
   * the message is a duplicate. The outcome is still {@link Outcome.Refused}, but the delivery is
   * done. In a transaction none of the other writes is made then, and the message is recorded on
   * each entity.
   *
   * @return this change, recording refused messages
   */
  public Change otherwiseSkip() {
    return with(rules.otherwiseSkip());
  }

  /**
   * Drops the mark of a source in the same write: for the write that ends the source. Redelivered
   * events of that source are no longer recognised afterwards. On DynamoDB an event that retires
   * its own source costs one read more.
   *
   * @param source a source that sends no further events
   * @return this change and that
   */
  public Change retire(Source source) {
    return with(rules.retire(source));
  }

  /**
   * Publishes a message: it is stored in the entity by this same write, and a relay sends it
   * afterwards, at least once. Nothing is published where the change is not applied, so a duplicate
   * publishes nothing. Messages of one entity are sent in their order, unless they are {@link
   * OutgoingMessage#unordered()}. Costs no request.
   *
   * @param message what to send, and where
   * @return this change and that
   */
  public Change publish(OutgoingMessage message) {
    return with(rules.publish(message));
  }

  /**
   * Publishes a text as a message without key, type and headers, as {@link
   * #publish(OutgoingMessage)} does.
   *
   * @param topic where it goes
   * @param payload such as JSON
   * @return this change and that
   */
  public Change publish(String topic, String payload) {
    return publish(OutgoingMessage.to(topic, payload));
  }

  /**
   * Creates the entity where it is missing; a deleted one stays deleted. Without this, a change of
   * a missing entity is {@link Outcome.Missing}.
   *
   * @return this change, creating
   */
  public Change createIfMissing() {
    return with(rules.createIfMissing());
  }

  /**
   * Creates the entity where it is missing, and also where it was deleted, keeping its marks.
   *
   * @return this change, creating and reviving
   */
  public Change recreate() {
    return with(rules.recreate());
  }

  /**
   * Makes maps where a path of the change leads through nothing, in the same write: {@code
   * change().add("byDay.2026-01-01", 1).createParents()} also where {@code byDay} is missing. It is
   * true of all operations of the change, whenever they are added. What stands there and is no map
   * still raises {@link InvalidChangeException}; a stored null counts as nothing.
   *
   * <p>It costs nothing where the maps exist. Where one is missing, DynamoDB takes one request
   * more: it refuses the first one, which brings the item. MongoDB takes none more.
   *
   * @return this change, making the maps that it needs
   */
  public Change createParents() {
    List<Operation> all = operations.stream().map(Operation::creatingParents).toList();
    return new Change(all, onlyIf, rules, true);
  }

  /**
   * Asks for the entity in the outcome. A single call takes no request more for it. On MongoDB the
   * reply is larger, and a batch reads the entities that it has to return. A transaction of
   * DynamoDB does not tell the entity.
   *
   * @return this change, returning the entity
   */
  public Change returning() {
    return with(rules.returning());
  }

  /**
   * The operations, none of which overlap.
   *
   * @return in the order in which they were given
   */
  public List<Operation> operations() {
    return operations;
  }

  /**
   * The caller's own condition.
   *
   * @return empty if the change is unconditional
   */
  public Optional<Condition> condition() {
    return Optional.ofNullable(onlyIf);
  }

  @Override
  public Rules rules() {
    return rules;
  }

  private Change with(Rules changed) {
    return new Change(operations, onlyIf, changed, createsParents);
  }

  private Change with(Operation operation) {
    for (Operation other : operations) {
      if (other.path().overlaps(operation.path())) {
        throw new IllegalArgumentException(
            "two operations of one change overlap: '"
                + other.path()
                + "' and '"
                + operation.path()
                + "'");
      }
    }
    List<Operation> all = new ArrayList<>(operations);
    all.add(createsParents ? operation.creatingParents() : operation);
    return new Change(List.copyOf(all), onlyIf, rules, createsParents);
  }

  private static List<Object> elements(String method, Path path, Object... elements) {
    if (Text.given("elements of " + method + "() of attribute '" + path + "'", elements).length
        == 0) {
      throw new IllegalArgumentException(method + " of attribute '" + path + "' needs an element");
    }
    return Arrays.stream(elements).map(element -> Values.any(path, element)).toList();
  }

  private static Set<Object> set(Path path, List<Object> elements) {
    boolean numbers = elements.get(0) instanceof Number;
    boolean bytes = elements.get(0) instanceof java.nio.ByteBuffer;
    for (Object element : elements) {
      boolean same =
          numbers == element instanceof Number && bytes == element instanceof java.nio.ByteBuffer;
      if (!same) {
        throw new IllegalArgumentException(
            "the set '"
                + path
                + "' must have elements of one kind, all strings, all numbers or all bytes; was"
                + " given "
                + elements.get(0).getClass().getSimpleName()
                + " and "
                + element.getClass().getSimpleName());
      }
    }
    Map<Object, Object> distinct = new LinkedHashMap<>();
    elements.forEach(element -> distinct.putIfAbsent(Values.comparable(element), element));
    return java.util.Collections.unmodifiableSet(new LinkedHashSet<>(distinct.values()));
  }

  /** Names the paths, never the values. */
  @Override
  public String toString() {
    return "Change" + operations.stream().map(o -> o.path().toString()).toList();
  }
}
