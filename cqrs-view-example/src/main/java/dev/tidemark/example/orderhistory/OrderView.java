package dev.tidemark.example.orderhistory;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tidemark.EventPolicy.Kind;
import dev.tidemark.Events;
import dev.tidemark.Tracked;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;

/**
 * One order as its consumer sees it: a row of the order history. Each store is told elsewhere how
 * it keeps the columns: DynamoDB by {@code DynamoDbRows} of package {@code store}, MongoDB by its
 * driver, which takes public fields as they are. For one thread.
 *
 * <p>A row gets every event of its order, its ticket and its delivery, so it keeps a mark for each
 * of the three. The window lets an aggregate's events come in any order, each before 16 or more
 * earlier ones: what a handler does must not depend on it.
 *
 * <p>A row whose {@code OrderCreated} has not come yet has no consumer; so it is in no index, and
 * listed nowhere.
 */
// snippet: first-row
@Tracked(events = @Events(value = Kind.DENSE_WINDOW, size = 16))
public final class OrderView {
  // end
  /** The index of {@link #consumerId} and {@link #createdAt}. */
  public static final String BY_CONSUMER = "byConsumer";

  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{M}\\p{N}_]+");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  @BsonId public String orderId = "";

  /** Who ordered; null until {@code OrderCreated} has come. */
  public @Nullable String consumerId;

  /** When it was ordered, as {@link #time} writes it; null until {@code OrderCreated} has come. */
  public @Nullable String createdAt;

  public @Nullable String restaurant;

  /** The last step of the timeline. */
  public String status = "";

  public List<OrderLine> lines = new ArrayList<>();

  /** The words of the restaurant and the lines, as {@link #keywords} makes them. */
  @JsonIgnore public List<String> keywords = new ArrayList<>();

  /** What the lines and tips come to, in cents. */
  public long total;

  /** The part of the total that was given as tips, in cents. */
  public long tips;

  /** What was paid back, in cents. */
  public long refunded;

  /** Who brings the meal, or took over last; null until that is known. */
  // snippet: first-column
  public @Nullable String courier;

  // end

  /** The delivery's version that {@link #courier} is of; 0 until one is known. */
  @JsonIgnore public long courierVersion;

  /** What the order became, by time. */
  public List<TimelineStep> timeline = new ArrayList<>();

  /** The status that the row told last; null if it has told none. */
  @JsonIgnore public @Nullable String announced;

  /** How many changes of its status the row has told. */
  @JsonIgnore public long announcements;

  /** The generation whose row tells the order's status in place of this one; null if none does. */
  @JsonIgnore public @Nullable Integer successor;

  /**
   * A time as views keep it: of one width, so that later times sort behind earlier ones.
   *
   * @param time a time
   * @return such as {@code 2026-11-21T20:30:00.000Z}
   */
  public static String time(Instant time) {
    return TIME.format(time);
  }

  /**
   * The words by which an order is found.
   *
   * @param restaurant its restaurant
   * @param lines its lines
   * @return in lower case, each once
   */
  public static List<String> keywords(String restaurant, List<OrderLine> lines) {
    return Stream.concat(Stream.of(restaurant), lines.stream().map(OrderLine::name))
        .flatMap(text -> words(text).stream())
        .distinct()
        .toList();
  }

  /** The words of a text in lower case, each once; in any language that parts words. */
  static List<String> words(String text) {
    return NO_WORD
        .splitAsStream(text.toLowerCase(Locale.ROOT))
        .filter(word -> !word.isEmpty())
        .distinct()
        .toList();
  }
}
