package dev.tidemark.dynamodb;

import dev.tidemark.Attribute;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.dynamodb.Expressions.Filled;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.OwnUpdate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What an update does beside tracking: its own condition and its own actions.
 *
 * @param rules whether it creates, revives, retires sources, records what it refuses
 * @param own the caller's own expressions
 * @param rule the condition of a change; null if there is none
 * @param operations the actions of a change
 * @param properties gives the values of rule and operations their form
 * @param sums which whole numbers must not overflow
 * @param template the caller's request, whose settings the write keeps; null if there is none
 */
record Edit(
    Rules rules,
    Filled own,
    @Nullable Condition rule,
    List<Operation> operations,
    Properties properties,
    Sums sums,
    @Nullable UpdateItemRequest template)
    implements OwnUpdate {

  /** Nothing: the messages are recorded. */
  static final Edit NOTHING = of(List.of());

  /** A portable change, which keeps whole numbers within the classes of their attributes. */
  static Edit of(Change change, Properties properties) {
    List<Operation> operations = change.operations();
    operations.forEach(operation -> properties.checkMapped(operation.path()));
    Condition rule = change.condition().orElse(null);
    if (rule != null) {
      Evaluator.paths(rule).forEach(properties::checkAsked);
    }
    Sums sums = Sums.of(operations, properties);
    return new Edit(change.rules(), Filled.NONE, rule, operations, properties, sums, null);
  }

  /** Operations whose values are DynamoDB's already. */
  static Edit of(List<Operation> operations) {
    return of(Rules.defaults(), Filled.NONE, null, operations, null);
  }

  /** Expressions of the caller's own, and operations whose values are DynamoDB's already. */
  static Edit of(
      Rules rules,
      Filled own,
      @Nullable Condition rule,
      List<Operation> operations,
      @Nullable UpdateItemRequest template) {
    return new Edit(rules, own, rule, operations, Properties.OF_MARKS, Sums.NONE, template);
  }

  /** The same settings, recording the message alone. */
  Edit recording() {
    return of(Rules.defaults(), Filled.NONE, null, List.of(), template);
  }

  /** Of tracking's numbered placeholders. */
  String prefix() {
    return own.expressions().prefix();
  }

  @Override
  public boolean hasRule() {
    return rule != null || hasOwnRule();
  }

  @Override
  public boolean hasOwnRule() {
    return !own.expressions().condition().isEmpty();
  }

  @Override
  public boolean recordsOnly() {
    return operations.isEmpty()
        && own.expressions().targets().isEmpty()
        && rules.retired().isEmpty()
        && rules.published().isEmpty();
  }

  /**
   * Whether it is nothing but expressions of the caller's, whose texts stay while values change.
   */
  @SuppressWarnings("ReferenceEquality")
  boolean hasTemplates() {
    return own != Filled.NONE && rule == null && operations.isEmpty();
  }

  @Override
  public @Nullable OwnUpdate then(OwnUpdate next) {
    Edit other = (Edit) next;
    Filled both =
        hasTemplates() && other.hasTemplates() && Objects.equals(template, other.template)
            ? own.then(other.own)
            : null;
    Rules joined = other.rules.returns() ? rules.returning() : rules;
    return both == null ? null : of(joined, both, null, List.of(), template);
  }

  /** Requires of an item that was not read what the change needs to be there. */
  void requireShape(Update write) {
    sums.bounds().forEach(bound -> write.require(bound.condition()));
    parents().required().forEach(write::requireMap);
    nullable().map(Operation::path).forEach(write::requireNotNull);
  }

  /** What a stored NULL is in the way of; a bound of a sum refuses it by itself. */
  private Stream<Operation> nullable() {
    return operations.stream()
        .filter(operation -> !properties.isOfMarks() && Parents.buildsUpon(operation))
        .filter(operation -> !sums.bound(operation.path()));
  }

  /** Whether an item is such that a blind write passes what it requires of it. */
  boolean accepts(Map<String, AttributeValue> item) {
    return sums.accept(item)
        && parents().accept(item)
        && nullable().noneMatch(operation -> Parents.meetsNull(item, operation));
  }

  private Parents parents() {
    return Parents.of(operations);
  }

  /** The same over an item that was read. */
  Edit over(Map<String, AttributeValue> item) {
    List<Operation> changed =
        properties.isOfMarks() ? operations : Parents.over(item, operations, properties);
    return new Edit(rules, own, rule, changed, properties, sums, template);
  }

  /**
   * The same where there is no entity, but maybe a tombstone in its place: the caller's own
   * expressions find no key there either. The portable rule is true there, as the run has seen.
   */
  Edit overNothing(Keys keys) {
    Edit over = over(Map.of());
    return new Edit(
        rules,
        own.overNothing(keys.attributes()),
        null,
        over.operations,
        properties,
        sums,
        template);
  }

  /** Puts condition and actions into a write. */
  void accept(Update write) {
    own.accept(write);
    if (rule != null) {
      write.require(rule, properties);
    }
    write.operations().addAll(operations, properties);
  }

  /** A new request, with the settings of the caller's. */
  UpdateItemRequest.Builder request() {
    UpdateItemRequest.Builder request = UpdateItemRequest.builder();
    if (template != null) {
      request
          .returnConsumedCapacity(template.returnConsumedCapacityAsString())
          .returnItemCollectionMetrics(template.returnItemCollectionMetricsAsString())
          .overrideConfiguration(template.overrideConfiguration().orElse(null));
    }
    return request;
  }

  /**
   * Keeps whole numbers whole and within their class: DynamoDB adds with 38 digits, an entity reads
   * 19 or fewer.
   *
   * @param bounds what has to be true of the stored numbers for the sums to fit
   */
  record Sums(List<Bound> bounds) {
    static final Sums NONE = new Sums(List.of());

    /** The highest number that can be added to; the lowest if the amount is negative. */
    record Bound(Path path, long most, boolean upper) {
      static Bound of(Operation increase, long highest) {
        long amount = Evaluator.exact(increase.amount()).longValueExact();
        boolean upper = amount >= 0;
        return new Bound(increase.path(), upper ? highest - amount : -highest - 1 - amount, upper);
      }

      Condition condition() {
        Attribute stored = Condition.attribute(path);
        return stored.isMissing().or(upper ? stored.atMost(most) : stored.atLeast(most));
      }

      private boolean fits(String number) {
        int order = new BigDecimal(number).compareTo(BigDecimal.valueOf(most));
        return upper ? order <= 0 : order >= 0;
      }

      /** What an item has there; null if nothing. */
      private @Nullable AttributeValue in(Map<String, AttributeValue> item) {
        AttributeValue value = AttributeValue.fromM(item);
        for (String segment : path.segments()) {
          value = value != null && value.hasM() ? value.m().get(segment) : null;
        }
        return value;
      }
    }

    /** Whether the number at a path has one. */
    boolean bound(Path path) {
      return bounds.stream().anyMatch(bound -> bound.path().equals(path));
    }

    static Sums of(List<Operation> operations, Properties properties) {
      List<Bound> bounds = new ArrayList<>();
      for (Operation operation : operations) {
        if (operation.kind() == Operation.Kind.INCREASE) {
          Long highest = properties.highest(operation.path(), operation.amount());
          if (highest != null) {
            AttributeValue unused = properties.number(operation.path(), operation.amount());
            bounds.add(Bound.of(operation, highest));
          }
        }
      }
      return bounds.isEmpty() ? NONE : new Sums(bounds);
    }

    /** Whether a write over an item passes the bounds; a stored NULL is there, and no number. */
    boolean accept(Map<String, AttributeValue> item) {
      return bounds.stream()
          .allMatch(
              bound -> {
                AttributeValue stored = bound.in(item);
                return stored == null || (stored.n() != null && bound.fits(stored.n()));
              });
    }

    /** Whether a stored whole number would leave its class; others are DynamoDB's to judge. */
    boolean overflow(Map<String, AttributeValue> item) {
      return bounds.stream()
          .anyMatch(
              bound -> {
                AttributeValue stored = bound.in(item);
                return stored != null
                    && stored.n() != null
                    && Values.toNeutral(stored) instanceof Long
                    && !bound.fits(stored.n());
              });
    }
  }
}
