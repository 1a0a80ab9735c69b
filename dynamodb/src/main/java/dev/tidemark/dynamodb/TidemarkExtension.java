package dev.tidemark.dynamodb;

import dev.tidemark.Key;
import dev.tidemark.Marks;
import dev.tidemark.Operation;
import dev.tidemark.Tracked;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.TrackedCall;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClientExtension;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbExtensionContext;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.extensions.ReadModification;
import software.amazon.awssdk.enhanced.dynamodb.extensions.WriteModification;
import software.amazon.awssdk.enhanced.dynamodb.internal.operations.OperationName;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Makes existing code on the Enhanced Client idempotent: {@code table.updateItem(order)} carries
 * guard and mark, once the class is annotated with {@link Tracked}, has a property of type {@link
 * Processing}, and the code sets it.
 *
 * <pre>{@code
 * DynamoDbEnhancedClient.builder().dynamoDbClient(client)
 *     .extensions(
 *         VersionedRecordExtension.builder().build(),   // .extensions() drops the defaults
 *         AtomicCounterExtension.builder().build(),
 *         TidemarkExtension.create())
 *     .build();
 *
 * order.setProcessing(Processing.of(messageId));
 * try {
 *   table.updateItem(order);                            // applied, once
 * } catch (ConditionalCheckFailedException refused) {
 *   Outcome<Order> outcome = store.outcomeOf(refused, order);
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code updateItem} creates the item where it is missing, as it always did, but not where a
 *       message deleted it. Without a message it is refused with {@code IllegalArgumentException}.
 *   <li>A property of type {@link Marks} is filled on every read. {@code putItem} needs it: the put
 *       keeps what was read, is conditional on its revision, and writes a new one; with a message
 *       it records that too. Without such a property {@code putItem} is refused.
 *   <li>Deletes of the Enhanced Client do not reach extensions: they leave no tombstone.
 *   <li>An {@code updateItem} does not see how many sources an item has marks of: their bound
 *       ({@link Tracking#maxSources(int)}) holds for {@link DynamoDbEntityStore} alone.
 *   <li>Items read by {@code getItem}, queries and scans may be tombstones: filter by {@link
 *       DynamoDbEntityStore#live()}.
 * </ul>
 *
 * <p>The extension tracks as the class's {@link Tracked} says; the store that is asked for the
 * outcome has to have the same tracking. Classes without {@link Tracked} are left alone. The cost
 * is that of the Enhanced Client's own request. May be shared by threads.
 */
public final class TidemarkExtension implements DynamoDbEnhancedClientExtension {
  private static final String PREFIX = "tidemark";

  private final Clock clock;
  private final TrackedClasses classes = new TrackedClasses();

  private TidemarkExtension(Clock clock) {
    this.clock = clock;
  }

  /**
   * The extension on the system's clock.
   *
   * @return an extension
   */
  public static TidemarkExtension create() {
    return new TidemarkExtension(Clock.systemUTC());
  }

  /**
   * The extension on another clock.
   *
   * @param clock the writer's clock
   * @return an extension
   */
  public static TidemarkExtension create(Clock clock) {
    return new TidemarkExtension(Objects.requireNonNull(clock, "clock"));
  }

  @Override
  public WriteModification beforeWrite(DynamoDbExtensionContext.BeforeWrite context) {
    TrackedClass tracked = classes.of(context.tableSchema());
    if (tracked == null) {
      return WriteModification.builder().build();
    }
    Map<String, AttributeValue> item = new LinkedHashMap<>(context.items());
    Processing processing = tracked.processing(item);
    Marks marks = tracked.marks(item);
    item.keySet().removeAll(tracked.properties());
    OperationName operation = context.operationName();
    if (operation == OperationName.UPDATE_ITEM) {
      return update(tracked, item, processing);
    }
    if (marks == null) {
      throw new IllegalArgumentException(
          operation.label()
              + " of "
              + tracked.name()
              + " would erase its marks: give it a property of type Marks, or use updateItem");
    }
    return put(tracked, item, marks, processing);
  }

  private WriteModification update(
      TrackedClass tracked, Map<String, AttributeValue> item, @Nullable Processing processing) {
    if (processing == null) {
      throw new IllegalArgumentException(
          "updateItem of " + tracked.name() + " needs the message that it is for: set Processing");
    }
    TrackedCall call = call(tracked, item, processing);
    Plan plan = call.blind(Set.of());
    DynamoDbUpdate conditions = new DynamoDbUpdate(tracked.partition(), PREFIX + "C");
    DynamoDbConverter neutral = DynamoDbConverter.NEUTRAL;
    conditions.require(plan.guard(), neutral);
    conditions.require(call.live(), neutral);
    conditions.require(
        dev.tidemark.Condition.attribute(tracked.names().path(tracked.names().revision()))
            .is(call.token())
            .not(),
        neutral);
    DynamoDbUpdateExpressions actions =
        new DynamoDbUpdateExpressions(new DynamoDbAliases(PREFIX + "A"));
    actions.copy(tracked.names().birth(), tracked.names().revision(), call.token());
    return WriteModification.builder()
        .transformedItem(item)
        .additionalConditionalExpression(expression(conditions))
        .updateExpression(actions.render(plan.operations()))
        .build();
  }

  private WriteModification put(
      TrackedClass tracked,
      Map<String, AttributeValue> item,
      Marks marks,
      @Nullable Processing processing) {
    Names names = tracked.names();
    Found<Object> found = new Found<>(!marks.attributes().isEmpty(), marks.attributes(), null);
    Processing message =
        processing == null ? Processing.of(dev.tidemark.MessageId.of("put")) : processing;
    TrackedCall call = call(tracked, item, message);
    DynamoDbUpdate conditions = new DynamoDbUpdate(tracked.partition(), PREFIX + "C");
    conditions.require(call.unchangedSince(found), DynamoDbConverter.NEUTRAL);
    if (found.state(names, call.now()) == Found.State.DELETED) {
      conditions.require(call.live(), DynamoDbConverter.NEUTRAL); // a put brings nothing back
    }
    Map<String, Object> before = call.marks(found);
    Map<String, Object> after = new LinkedHashMap<>(before);
    after.put(names.revision(), call.token());
    if (processing != null && call.settle(found).isPresent()) {
      conditions.require(new dev.tidemark.Condition.Or(List.of()), DynamoDbConverter.NEUTRAL);
    } else if (processing != null) {
      List<Operation> operations = new ArrayList<>(call.informed(before, Set.of()));
      after = Evaluator.apply(operations, before);
    }
    item.putAll(DynamoDbValues.toNative(after));
    return WriteModification.builder()
        .transformedItem(item)
        .additionalConditionalExpression(expression(conditions))
        .build();
  }

  private TrackedCall call(
      TrackedClass tracked, Map<String, AttributeValue> item, Processing processing) {
    Tracking tracking = tracked.tracking();
    Key key = tracked.key(item);
    return new TrackedCall(
        processing.message(), key, tracking, tracked.names(), clock, processing.token());
  }

  private static Expression expression(DynamoDbUpdate conditions) {
    String text = DynamoDbExpressions.bare(conditions.condition());
    return Expression.builder()
        .expression(text)
        .expressionNames(conditions.names(text))
        .expressionValues(conditions.values(text))
        .build();
  }

  @Override
  public ReadModification afterRead(DynamoDbExtensionContext.AfterRead context) {
    TrackedClass tracked = classes.of(context.tableSchema());
    return tracked == null
        ? ReadModification.builder().build()
        : ReadModification.builder().transformedItem(tracked.collapse(context.items())).build();
  }
}
