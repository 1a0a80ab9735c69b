package dev.tidemark.dynamodb;

import dev.tidemark.Attribute;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Increase;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.OwnUpdate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What an update does beside tracking: its own condition and its own actions.
 *
 * @param rules whether it creates, revives, retires sources, records what it refuses
 * @param hasRule whether it has a condition of its own
 * @param prefix of tracking's numbered placeholders, which none of the caller's own is
 * @param touched the attributes that the actions may write
 * @param sums which whole numbers must not overflow
 * @param actions adds condition and actions to a write
 * @param template the caller's request, whose settings the write keeps; null if there is none
 */
record Edit(
    Rules rules,
    boolean hasRule,
    String prefix,
    Set<String> touched,
    Sums sums,
    Actions actions,
    @Nullable UpdateItemRequest template)
    implements OwnUpdate {

  /** Condition and actions of an update. */
  @FunctionalInterface
  interface Actions {
    void accept(Update update);

    /** These and the next, made after them, at once; null if that cannot be told. */
    default @Nullable Actions then(Actions next) {
      return null;
    }

    /** The same as expressions of the caller's own; null where a change was rendered. */
    default @Nullable Given given() {
      return null;
    }
  }

  /**
   * Expressions that differ from call to call in their values alone.
   *
   * @param templates what is kept of them, by whether the update creates
   * @param values of this call
   */
  record Given(Map<Boolean, Template> templates, Map<String, AttributeValue> values) {}

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
        change.rules(),
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
        Rules.defaults(),
        false,
        PREFIX,
        touched(operations),
        Sums.NONE,
        update -> update.change(operations),
        null);
  }

  /** The same settings, recording the message alone. */
  Edit recording() {
    return new Edit(Rules.defaults(), false, PREFIX, Set.of(), Sums.NONE, update -> {}, template);
  }

  static Set<String> touched(List<Operation> operations) {
    return operations.stream()
        .map(operation -> operation.path().segments().get(0))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public boolean recordsOnly() {
    return touched.isEmpty() && rules.retired().isEmpty();
  }

  @Override
  public @Nullable OwnUpdate then(OwnUpdate next) {
    Edit other = (Edit) next;
    Actions both = Objects.equals(template, other.template) ? actions.then(other.actions) : null;
    Rules joined = other.rules.returns() ? rules.returning() : rules;
    return both == null ? null : new Edit(joined, hasRule, prefix, touched, sums, both, template);
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
      static Bound of(Increase increase, long highest) {
        long amount = increase.amount().longValue();
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

    static Sums of(List<Operation> operations, Properties properties) {
      List<Bound> bounds = new ArrayList<>();
      for (Operation operation : operations) {
        if (operation instanceof Increase increase && isWhole(increase.amount())) {
          Long highest = properties.highest(increase.path());
          if (highest != null) {
            bounds.add(Bound.of(increase, highest));
          }
        }
      }
      return bounds.isEmpty() ? NONE : new Sums(bounds);
    }

    private static boolean isWhole(Number amount) {
      return amount instanceof Long
          || amount instanceof Integer
          || amount instanceof Short
          || amount instanceof Byte;
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
