package dev.tidemark.dynamodb;

import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Tracked;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.Revision;
import dev.tidemark.kernel.Verdict;
import dev.tidemark.marks.Marks;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClientExtension;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbExtensionContext;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
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
 * var request = UpdateItemEnhancedRequest.builder(Order.class).item(order).build();
 * try {
 *   table.updateItem(request);                          // applied, once
 * } catch (ConditionalCheckFailedException refused) {
 *   Outcome<Order> outcome = store.outcomeOf(refused, request);
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code updateItem} creates the item where it is missing, as it always did, but not where a
 *       message deleted it. Where it was deleted so long ago that its tombstone has expired, and
 *       DynamoDB has not collected that yet, the write is refused too, and {@code outcomeOf} makes
 *       it. Without a message it is refused with {@code IllegalArgumentException}.
 *   <li>A value that was computed from a read is lost where another message wrote in between. A
 *       class with a property of type {@link Marks} is safe: {@code updateItem} is conditional on
 *       the revision that was read, on that there is no tracked item where nothing was. A class
 *       without one needs a {@code DynamoDbVersionAttribute}; without both, the last write wins.
 *   <li>A property of type {@link Marks} is filled on every read. {@code putItem} needs it: the put
 *       keeps what was read, is conditional on its revision and on the outgoing messages that were
 *       read, which a relay takes off, and writes a new revision; with a message it records that
 *       too. Without such a property, with null in it ({@link Marks#none()} is that of a new item),
 *       or with the partial marks that an index or {@code UPDATED_NEW} gives, it is refused with
 *       {@code IllegalArgumentException}.
 *   <li>A projection has to leave all of tracking's attributes out: the put of what it gives is
 *       then refused. One that names the revision and all but some {@code events…} attributes looks
 *       like a whole item, and a put erases those.
 *   <li>A client without the extension cannot write entities with a message or with marks: DynamoDB
 *       refuses them with a {@code ValidationException} that names the extension. A class with such
 *       a property that is not {@link Tracked} is refused with {@code IllegalArgumentException}.
 *       Batches cannot carry conditions, and are refused; transactions can.
 *   <li>Deletes of the Enhanced Client do not reach extensions: they leave no tombstone.
 *   <li>Where a class has {@link Marks}, the sources that an item has marks of are counted ({@link
 *       Tracking#maxSources(int)}). An {@code updateItem} of another class does not see them: it is
 *       refused where a {@link DynamoDbEntityStore} has found few left, and does not find that
 *       itself.
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
  private static final Condition NEVER = Condition.never();

  private final Clock clock;

  /** By the class's latest schema, since a query asks for it with every item. */
  private final Map<Class<?>, TrackedClass> known = new ConcurrentHashMap<>();

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

  /** Null for a class that is not tracked. */
  private @Nullable TrackedClass tracked(TableSchema<?> schema) {
    Class<?> type = schema.itemType().rawClass();
    TrackedClass before = known.get(type);
    if (before != null && before.schema() == schema) {
      return before;
    }
    TrackedClass made = type.isAnnotationPresent(Tracked.class) ? TrackedClass.of(schema) : null;
    if (made != null) {
      known.put(type, made);
    }
    return made;
  }

  @Override
  public WriteModification beforeWrite(DynamoDbExtensionContext.BeforeWrite context) {
    TrackedClass tracked = tracked(context.tableSchema());
    if (tracked == null) {
      TrackedClass.requireNotMeant(context.tableSchema());
      return WriteModification.builder().build();
    }
    Map<String, AttributeValue> item = new LinkedHashMap<>(context.items());
    Processing processing = tracked.mapping().processing(item::get);
    Marks marks = tracked.mapping().marks(item::get);
    item.keySet().removeAll(tracked.mapping().unstored());
    tracked.mapping().requireUnowned(item.keySet());
    boolean update = context.operationName() == OperationName.UPDATE_ITEM;
    if (update && processing == null) {
      throw new IllegalArgumentException(
          "updateItem of " + tracked.name() + " needs the message that it is for: set Processing");
    }
    if (!update) {
      requireWhole(context.operationName(), tracked, marks);
    }
    Marking call = marking(tracked, item, processing, context.operationContext().tableName());
    Marks read = marks == null ? Marks.none() : marks;
    return update
        ? update(tracked, item, read, call)
        : put(tracked, item, read, call, processing != null);
  }

  private static void requireWhole(
      OperationName operation, TrackedClass tracked, @Nullable Marks marks) {
    if (marks != null && marks.isWhole()) {
      return;
    }
    String reason =
        !tracked.mapping().carriesMarks()
            ? "give it a property of type Marks, or use updateItem"
            : marks == null
                ? "its property of type Marks is null; read the item, or set Marks.none() if it is"
                    + " new"
                : "its Marks are partial, of an index or of what an update changed; read the whole"
                    + " item of the table";
    throw new IllegalArgumentException(
        operation.label() + " of " + tracked.name() + " would erase its marks: " + reason);
  }

  private Marking marking(
      TrackedClass tracked,
      Map<String, AttributeValue> item,
      @Nullable Processing processing,
      String table) {
    Message message = processing == null ? MessageId.of("put") : processing.message();
    ByteBuffer token =
        processing == null
            ? Revision.newToken()
            : processing.note().renew(table, tracked.mapping().type());
    EntityKey key = tracked.mapping().keys().keyOf(item);
    Verdict.requirePosition(message, tracked.tracking());
    return new Marking(
        List.of(message), key, tracked.tracking(), tracked.names(), clock.instant(), token);
  }

  private static Verdict verdict(TrackedClass tracked, Marking call) {
    Message message = call.messages().get(0);
    return new Verdict(message, tracked.tracking(), tracked.names(), call.now());
  }

  private static WriteModification update(
      TrackedClass tracked, Map<String, AttributeValue> item, Marks marks, Marking call) {
    Names names = tracked.names();
    Found<Object> read = found(marks);
    Update write = tracked.write();
    Plan blind = call.blind(Set.of());
    List<Operation> operations = blind.operations();
    boolean known = tracked.mapping().carriesMarks() && marks.isWhole();
    if (tracked.mapping().carriesMarks()) {
      write.require(call.unchangedSince(read));
    }
    Verdict verdict = verdict(tracked, call);
    // a tombstone, be it an expired one: outcomeOf makes the write over that
    boolean deleted = read.exists() && read.state(names, call.now()) != Found.State.LIVE;
    if (verdict.isBeyondHorizon() || (known && (deleted || verdict.ofMarks(read).isPresent()))) {
      write.require(NEVER);
    } else if (known) {
      operations = call.informed(call.marks(read), Set.of());
    }
    if (!known) {
      Attribute revision = Condition.attribute(names.path(names.revision()));
      write.require(blind.guard());
      write.require(revision.is(call.token()).not());
      write.require(revision.isMissing().or(call.open()));
    }
    write.operations().copy(names.birth(), names.revision(), call.token());
    write.change(operations);
    return WriteModification.builder()
        .transformedItem(item)
        .additionalConditionalExpression(expression(write))
        .updateExpression(write.operations().enhanced())
        .build();
  }

  private static WriteModification put(
      TrackedClass tracked,
      Map<String, AttributeValue> item,
      Marks marks,
      Marking call,
      boolean recording) {
    Names names = tracked.names();
    Found<Object> found = found(marks);
    Update conditions = tracked.write();
    conditions.require(call.unchangedSince(found));
    tracked.fixedNames().stream() // which a projection may have left out
        .filter(name -> !marks.attributes().containsKey(name))
        .forEach(name -> conditions.require(Condition.attribute(names.path(name)).isMissing()));
    // a relay takes messages off without a new revision, and the put would bring them back
    names.waiting().stream()
        .filter(marks.attributes()::containsKey)
        .map(name -> unchanged(names.path(name), marks.attributes().get(name)))
        .forEach(conditions::require);
    if (found.state(names, call.now()) == Found.State.DELETED) {
      conditions.require(NEVER); // a put brings nothing back
    }
    Map<String, Object> before = call.marks(found);
    Map<String, Object> after = new LinkedHashMap<>(before);
    after.put(names.revision(), Revision.after(before.get(names.revision()), call.token()));
    if (recording && verdict(tracked, call).ofMarks(found).isPresent()) {
      conditions.require(NEVER);
    } else if (recording) {
      after = Evaluator.apply(call.informed(before, Set.of()), before);
    }
    if (!found.exists()) { // of its own, since a put does not see what it replaces
      after.put(names.birth(), Revision.newToken());
    }
    item.putAll(Values.toNative(after));
    return WriteModification.builder()
        .transformedItem(item)
        .additionalConditionalExpression(expression(conditions))
        .build();
  }

  private static Condition unchanged(Path path, @Nullable Object read) {
    return Condition.attribute(path).is(Values.toNative(Objects.requireNonNull(read)));
  }

  private static Found<Object> found(Marks marks) {
    return new Found<>(!marks.attributes().isEmpty(), marks.attributes(), null);
  }

  private static Expression expression(Update conditions) {
    String text = Expressions.bare(conditions.condition());
    return Expression.builder()
        .expression(text)
        .expressionNames(conditions.names())
        .expressionValues(conditions.aliases().values())
        .build();
  }

  @Override
  public ReadModification afterRead(DynamoDbExtensionContext.AfterRead context) {
    TrackedClass tracked = tracked(context.tableSchema());
    ReadModification.Builder read = ReadModification.builder();
    if (tracked != null) {
      String index = context.operationContext().indexName(); // which may hold less
      boolean mayBePart = !index.equals(TableMetadata.primaryIndexName());
      read.transformedItem(tracked.mapping().collapse(context.items(), mayBePart));
    }
    return read.build();
  }

  /**
   * What the extension knows of a class that is annotated with {@link Tracked}.
   *
   * @param schema the one that it is known by
   * @param tracking the policies that the annotation says
   * @param mapping maps its items
   */
  record TrackedClass(TableSchema<?> schema, Tracking tracking, Mapping<?> mapping) {
    static TrackedClass of(TableSchema<?> schema) {
      Tracking tracking = Tracking.of(schema.itemType().rawClass());
      return new TrackedClass(schema, tracking, new Mapping<>(schema, tracking, true));
    }

    /** Refuses a class that is written as if it were tracked, and is not. */
    static void requireNotMeant(TableSchema<?> schema) {
      for (Class<?> property : List.of(Processing.class, Marks.class)) {
        if (Mapping.attributeOf(schema, property) != null) {
          throw new IllegalArgumentException(
              "%s has a property of type %s and is not tracked: annotate the class with @Tracked"
                  .formatted(
                      schema.itemType().rawClass().getSimpleName(), property.getSimpleName()));
        }
      }
    }

    String name() {
      return mapping.type().getSimpleName();
    }

    Names names() {
      return mapping.names();
    }

    /** A write of an item, whose placeholders are none of the Enhanced Client's. */
    Update write() {
      return new Update(mapping.keys().partition(), PREFIX);
    }

    /** The attributes that tracking may own in any entity, whatever its sources are. */
    List<String> fixedNames() {
      Names names = names();
      return Stream.of(
              IntStream.rangeClosed(0, Names.CLOSED_SLOTS).mapToObj(names::ids),
              Stream.of(names.since(), names.closed(), names.birth(), names.tombstone()),
              names.waiting().stream())
          .flatMap(name -> name)
          .toList();
    }
  }
}
