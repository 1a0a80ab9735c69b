package dev.tidemark.example.orderhistory.store;

import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondarySortKey;

import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.TimelineStep;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTag;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;

/**
 * How DynamoDB stores rows: the attribute of each column, and which of them are keys. MongoDB's
 * driver needs nothing of that kind, since it maps fields by itself.
 */
public final class DynamoDbRows {
  private static final EnhancedType<String> TEXT = EnhancedType.of(String.class);
  private static final EnhancedType<Long> NUMBER = EnhancedType.of(Long.class);
  private static final EnhancedType<Integer> INTEGER = EnhancedType.of(Integer.class);
  private static final EnhancedType<List<String>> TEXTS = EnhancedType.listOf(String.class);

  private static final StaticAttributeTag KEY = primaryPartitionKey();
  private static final StaticAttributeTag OF_CONSUMER =
      secondaryPartitionKey(OrderView.BY_CONSUMER);
  private static final StaticAttributeTag BY_TIME = secondarySortKey(OrderView.BY_CONSUMER);

  private static final EnhancedType<List<OrderLine>> LINES =
      new Columns<>(
              OrderLine.class,
              Object[].class,
              () -> new Object[3],
              of -> new OrderLine((String) of[0], (int) of[1], (long) of[2]))
          .add("name", TEXT, OrderLine::name, (of, name) -> of[0] = name)
          .add("quantity", INTEGER, OrderLine::quantity, (of, quantity) -> of[1] = quantity)
          .add("cents", NUMBER, OrderLine::cents, (of, cents) -> of[2] = cents)
          .documents(OrderLine.class);

  private static final EnhancedType<List<TimelineStep>> STEPS =
      new Columns<>(
              TimelineStep.class,
              String[].class,
              () -> new String[2],
              of -> new TimelineStep(of[0], of[1]))
          .add("status", TEXT, TimelineStep::status, (of, status) -> of[0] = status)
          .add("at", TEXT, TimelineStep::at, (of, at) -> of[1] = at)
          .documents(TimelineStep.class);

  /** The order history, with its index {@link OrderView#BY_CONSUMER}. */
  public static final TableSchema<OrderView> ORDERS =
      columns(OrderView.class, OrderView::new)
          .add("orderId", TEXT, r -> r.orderId, (r, id) -> r.orderId = id, KEY)
          .add("consumerId", TEXT, r -> r.consumerId, (r, id) -> r.consumerId = id, OF_CONSUMER)
          .add("createdAt", TEXT, r -> r.createdAt, (r, time) -> r.createdAt = time, BY_TIME)
          .add("restaurant", TEXT, r -> r.restaurant, (r, name) -> r.restaurant = name)
          .add("status", TEXT, r -> r.status, (r, status) -> r.status = status)
          .add("lines", LINES, r -> r.lines, (r, lines) -> r.lines = lines)
          .add("keywords", TEXTS, r -> r.keywords, (r, words) -> r.keywords = words)
          .add("total", NUMBER, r -> r.total, (r, cents) -> r.total = cents)
          .add("tips", NUMBER, r -> r.tips, (r, cents) -> r.tips = cents)
          .add("refunded", NUMBER, r -> r.refunded, (r, cents) -> r.refunded = cents)
          // snippet: first-column-stored
          .add("courier", TEXT, r -> r.courier, (r, courier) -> r.courier = courier)
          // end
          .add("courierVersion", NUMBER, r -> r.courierVersion, (r, v) -> r.courierVersion = v)
          .add("timeline", STEPS, r -> r.timeline, (r, steps) -> r.timeline = steps)
          .add("announced", TEXT, r -> r.announced, (r, status) -> r.announced = status)
          .add("announcements", NUMBER, r -> r.announcements, (r, n) -> r.announcements = n)
          .add("successor", INTEGER, r -> r.successor, (r, n) -> r.successor = n)
          .schema();

  /** The sums of consumers. */
  public static final TableSchema<SpendingView> SPENDING =
      columns(SpendingView.class, SpendingView::new)
          .add("id", TEXT, r -> r.id, (r, id) -> r.id = id, KEY)
          .add("orders", NUMBER, r -> r.orders, (r, n) -> r.orders = n)
          .add("spent", NUMBER, r -> r.spent, (r, cents) -> r.spent = cents)
          .add("tips", NUMBER, r -> r.tips, (r, cents) -> r.tips = cents)
          .add("refunded", NUMBER, r -> r.refunded, (r, cents) -> r.refunded = cents)
          .schema();

  /** The board of restaurants. */
  public static final TableSchema<BoardView> BOARD =
      columns(BoardView.class, BoardView::new)
          .add("restaurant", TEXT, r -> r.restaurant, (r, name) -> r.restaurant = name, KEY)
          .add("created", NUMBER, r -> r.created, (r, n) -> r.created = n)
          .add("accepted", NUMBER, r -> r.accepted, (r, n) -> r.accepted = n)
          .add("ready", NUMBER, r -> r.ready, (r, n) -> r.ready = n)
          .add("courierAssigned", NUMBER, r -> r.courierAssigned, (r, n) -> r.courierAssigned = n)
          .add("pickedUp", NUMBER, r -> r.pickedUp, (r, n) -> r.pickedUp = n)
          .add("delivered", NUMBER, r -> r.delivered, (r, n) -> r.delivered = n)
          .add("cancelled", NUMBER, r -> r.cancelled, (r, n) -> r.cancelled = n)
          .schema();

  /** Which generation has which role. */
  static final TableSchema<GenerationNumber> GENERATIONS =
      columns(GenerationNumber.class, GenerationNumber::new)
          .add("id", TEXT, r -> r.id, (r, id) -> r.id = id, KEY)
          .add("number", INTEGER, r -> r.number, (r, n) -> r.number = n)
          .schema();

  private DynamoDbRows() {}

  private static <T> Columns<T, T> columns(Class<T> type, Supplier<T> empty) {
    return new Columns<>(type, type, empty, Function.identity());
  }

  /** A schema in the making. */
  private static final class Columns<T, B> {
    private final StaticImmutableTableSchema.Builder<T, B> schema;

    Columns(Class<T> type, Class<B> builder, Supplier<B> empty, Function<B, T> build) {
      schema = TableSchema.builder(type, builder).newItemBuilder(empty, build);
    }

    <A> Columns<T, B> add(
        String name,
        EnhancedType<A> type,
        Function<T, @Nullable A> get,
        BiConsumer<B, A> set,
        StaticAttributeTag... tags) {
      schema.addAttribute(type, column -> column.name(name).getter(get).setter(set).tags(tags));
      return this;
    }

    TableSchema<T> schema() {
      return schema.build();
    }

    /** The type of a list of such documents. */
    EnhancedType<List<T>> documents(Class<T> type) {
      return EnhancedType.listOf(EnhancedType.documentOf(type, schema()));
    }
  }
}
