package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Source;
import dev.tidemark.kernel.Text;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A change in DynamoDB's own words: an update expression with any clauses, its names and values,
 * and a condition, all of which are joined with those of tracking in one request.
 *
 * <pre>{@code
 * orders.update(message, key(orderId),
 *     DynamoDbNativeUpdate.of("SET #s = :paid ADD #t :amount")
 *         .name("#s", "status").value(":paid", "PAID")
 *         .name("#t", "total").value(":amount", 25)
 *         .onlyIf("#s <> :paid"));
 * }</pre>
 *
 * <p>An action on the key, on an attribute that tracking owns, or on a version is refused before
 * the call; placeholders may have any names, and unused ones are left out. Immutable; each method
 * returns a new update.
 */
public final class DynamoDbNativeUpdate implements EntityUpdate {
  private final @Nullable UpdateItemRequest request;
  private final String update;
  private final String condition;
  private final Map<String, String> names;
  private final Map<String, AttributeValue> values;
  private final Rules rules;

  private DynamoDbNativeUpdate(
      @Nullable UpdateItemRequest request,
      String update,
      String condition,
      Map<String, String> names,
      Map<String, AttributeValue> values,
      Rules rules) {
    this.request = request;
    this.update = update;
    this.condition = condition;
    this.names = names;
    this.values = values;
    this.rules = rules;
  }

  /**
   * An update expression.
   *
   * @param updateExpression clauses of SET, REMOVE, ADD and DELETE
   * @return the update, of an entity that must exist
   * @throws IllegalArgumentException if there is none
   */
  public static DynamoDbNativeUpdate of(String updateExpression) {
    return new DynamoDbNativeUpdate(
        null, expression(updateExpression), "", Map.of(), Map.of(), Rules.defaults());
  }

  /**
   * A request of the SDK: its expressions, placeholders, and settings such as the capacity to
   * report. Table and key, where it has them, must be those of the call. What it asks to be
   * returned is replaced by what tracking needs; if it asks for anything, the outcome has the
   * entity.
   *
   * @param request the request
   * @return the update, of an entity that must exist
   * @throws IllegalArgumentException if it has no update expression, or uses the legacy parameters
   *     that expressions replaced
   */
  public static DynamoDbNativeUpdate of(UpdateItemRequest request) {
    if (Text.given("request", request).hasAttributeUpdates() || request.hasExpected()) {
      throw new IllegalArgumentException(
          "attributeUpdates and expected cannot be joined with expressions");
    }
    boolean returns = request.returnValues() != null && request.returnValues() != ReturnValue.NONE;
    return new DynamoDbNativeUpdate(
        request,
        expression(request.updateExpression()),
        orEmpty(request.conditionExpression()),
        request.hasExpressionAttributeNames() ? request.expressionAttributeNames() : Map.of(),
        request.hasExpressionAttributeValues() ? request.expressionAttributeValues() : Map.of(),
        returns ? Rules.defaults().returning() : Rules.defaults());
  }

  /**
   * Gives a name to a placeholder.
   *
   * @param placeholder such as {@code #s}
   * @param attribute the name behind it
   * @return this update and that
   */
  public DynamoDbNativeUpdate name(String placeholder, String attribute) {
    Map<String, String> more =
        with(names, placeholder, Text.given("name of '" + placeholder + "'", attribute));
    return new DynamoDbNativeUpdate(request, update, condition, more, values, rules);
  }

  /**
   * Gives a value to a placeholder.
   *
   * @param placeholder such as {@code :v}
   * @param value an {@link AttributeValue}, or a string, number, boolean, bytes, list, set or map
   * @return this update and that
   */
  public DynamoDbNativeUpdate value(String placeholder, Object value) {
    Map<String, AttributeValue> more =
        with(
            values,
            placeholder,
            Values.toNative(Text.given("value of '" + placeholder + "'", value)));
    return new DynamoDbNativeUpdate(request, update, condition, names, more, rules);
  }

  private static <V> Map<String, V> with(Map<String, V> before, String placeholder, V behind) {
    if (before.isEmpty()) {
      return Map.of(placeholder, behind);
    }
    Map<String, V> more = new HashMap<>(2 * before.size() + 2);
    more.putAll(before);
    more.put(placeholder, behind);
    return more;
  }

  /**
   * Makes the change only if a condition is true, else {@link dev.tidemark.Outcome.Refused}.
   *
   * @param conditionExpression replaces the one given before
   * @return this update under that condition
   */
  public DynamoDbNativeUpdate onlyIf(String conditionExpression) {
    return new DynamoDbNativeUpdate(
        request,
        update,
        notBlank("a native update's onlyIf()", "condition", conditionExpression),
        names,
        values,
        rules);
  }

  /**
   * As {@link Change#otherwiseSkip()}.
   *
   * @return this update, recording refused messages
   */
  public DynamoDbNativeUpdate otherwiseSkip() {
    return ruled(rules.otherwiseSkip());
  }

  /**
   * As {@link Change#createIfMissing()}.
   *
   * @return this update, creating
   */
  public DynamoDbNativeUpdate createIfMissing() {
    return ruled(rules.createIfMissing());
  }

  /**
   * As {@link Change#recreate()}.
   *
   * @return this update, creating and reviving
   */
  public DynamoDbNativeUpdate recreate() {
    return ruled(rules.recreate());
  }

  /**
   * As {@link Change#returning()}.
   *
   * @return this update, returning the entity
   */
  public DynamoDbNativeUpdate returning() {
    return ruled(rules.returning());
  }

  /**
   * As {@link Change#retire(Source)}.
   *
   * @param source a source that sends no further events
   * @return this update and that
   */
  public DynamoDbNativeUpdate retire(Source source) {
    return ruled(rules.retire(source));
  }

  /**
   * As {@link Change#publish(OutgoingMessage)}.
   *
   * @param message what to send, and where
   * @return this update and that
   */
  public DynamoDbNativeUpdate publish(OutgoingMessage message) {
    return ruled(rules.publish(message));
  }

  private DynamoDbNativeUpdate ruled(Rules changed) {
    return new DynamoDbNativeUpdate(request, update, condition, names, values, changed);
  }

  /** The request that was given; names, values and condition are as the methods here say. */
  @Nullable UpdateItemRequest request() {
    return request;
  }

  @Override
  public Rules rules() {
    return rules;
  }

  /** The expressions, of which many updates have the same. */
  Expressions.Given given() {
    return new Expressions.Given(update, condition, names, values.keySet());
  }

  Map<String, AttributeValue> values() {
    return values;
  }

  private static String expression(@Nullable String update) {
    return notBlank("a native update", "clause of an update expression", update);
  }

  private static String notBlank(String what, String part, @Nullable String expression) {
    String given = Text.given(part, expression);
    if (given.isBlank()) {
      throw new IllegalArgumentException(what + " needs a " + part + ", was blank");
    }
    return given;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** Names the update expression, whose values are behind placeholders. */
  @Override
  public String toString() {
    return "DynamoDbNativeUpdate[" + update + "]";
  }
}
