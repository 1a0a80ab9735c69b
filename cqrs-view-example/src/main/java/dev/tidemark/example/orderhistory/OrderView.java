package dev.tidemark.example.orderhistory;

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
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondaryPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondarySortKey;

/**
 * One order as its consumer sees it: a row of the order history. One class serves both stores, a
 * bean for the Enhanced Client and a POJO for MongoDB's driver. Mutable, as both mappers want it;
 * for one thread.
 *
 * <p>A row gets every event of its order, its ticket and its delivery, so it keeps a mark for each
 * of the three. The window lets an aggregate's events come in any order, each before 16 or more
 * earlier ones: what a handler does must not depend on it.
 *
 * <p>A row whose {@code OrderCreated} has not come yet has no consumer; so it is in no index, and
 * listed nowhere.
 */
// snippet: first-row
@DynamoDbBean
@Tracked(events = @Events(value = Kind.DENSE_WINDOW, size = 16))
public final class OrderView {
  // end
  /** The index of {@link #getConsumerId} and {@link #getCreatedAt}. */
  public static final String BY_CONSUMER = "byConsumer";

  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{M}\\p{N}_]+");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private String orderId = "";
  private @Nullable String consumerId;
  private @Nullable String createdAt;
  private @Nullable String restaurant;
  private String status = "";
  private List<OrderLine> lines = new ArrayList<>();
  private List<String> keywords = new ArrayList<>();
  private long total;
  private long tips;
  private long refunded;
  private @Nullable String courier;
  private long courierVersion;
  private List<TimelineStep> timeline = new ArrayList<>();
  private @Nullable String resumeToken;
  private @Nullable String announced;
  private long announcements;
  private @Nullable Integer successor;

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
    return Stream.concat(Stream.of(restaurant), lines.stream().map(OrderLine::getName))
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

  @BsonId
  @DynamoDbPartitionKey
  public String getOrderId() {
    return orderId;
  }

  public void setOrderId(String orderId) {
    this.orderId = orderId;
  }

  /** Who ordered; null until {@code OrderCreated} has come. */
  @DynamoDbSecondaryPartitionKey(indexNames = BY_CONSUMER)
  public @Nullable String getConsumerId() {
    return consumerId;
  }

  public void setConsumerId(@Nullable String consumerId) {
    this.consumerId = consumerId;
  }

  /** When it was ordered, as {@link #time} writes it; null until {@code OrderCreated} has come. */
  @DynamoDbSecondarySortKey(indexNames = BY_CONSUMER)
  public @Nullable String getCreatedAt() {
    return createdAt;
  }

  public void setCreatedAt(@Nullable String createdAt) {
    this.createdAt = createdAt;
  }

  public @Nullable String getRestaurant() {
    return restaurant;
  }

  public void setRestaurant(@Nullable String restaurant) {
    this.restaurant = restaurant;
  }

  /** The last step of the timeline. */
  public String getStatus() {
    return status;
  }

  public void setStatus(String status) {
    this.status = status;
  }

  public List<OrderLine> getLines() {
    return lines;
  }

  public void setLines(List<OrderLine> lines) {
    this.lines = lines;
  }

  /** The words of the restaurant and the lines, as {@link #keywords} makes them. */
  public List<String> getKeywords() {
    return keywords;
  }

  public void setKeywords(List<String> keywords) {
    this.keywords = keywords;
  }

  /** What the lines and tips come to, in cents. */
  public long getTotal() {
    return total;
  }

  public void setTotal(long total) {
    this.total = total;
  }

  /** The part of the total that was given as tips, in cents. */
  public long getTips() {
    return tips;
  }

  public void setTips(long tips) {
    this.tips = tips;
  }

  /** What was paid back, in cents. */
  public long getRefunded() {
    return refunded;
  }

  public void setRefunded(long refunded) {
    this.refunded = refunded;
  }

  /** Who brings the meal, or took over last; null until that is known. */
  // snippet: first-column
  public @Nullable String getCourier() {
    return courier;
  }

  public void setCourier(@Nullable String courier) {
    this.courier = courier;
  }

  // end

  /** The delivery's version that {@link #getCourier} is of; 0 until one is known. */
  public long getCourierVersion() {
    return courierVersion;
  }

  public void setCourierVersion(long courierVersion) {
    this.courierVersion = courierVersion;
  }

  /** What the order became, by time. */
  public List<TimelineStep> getTimeline() {
    return timeline;
  }

  public void setTimeline(List<TimelineStep> timeline) {
    this.timeline = timeline;
  }

  /** Where the change stream stood that brought the last event; null for other carriers. */
  public @Nullable String getResumeToken() {
    return resumeToken;
  }

  public void setResumeToken(@Nullable String resumeToken) {
    this.resumeToken = resumeToken;
  }

  /** The status that the row told last; null if it has told none. */
  public @Nullable String getAnnounced() {
    return announced;
  }

  public void setAnnounced(@Nullable String announced) {
    this.announced = announced;
  }

  /** How many changes of its status the row has told. */
  public long getAnnouncements() {
    return announcements;
  }

  public void setAnnouncements(long announcements) {
    this.announcements = announcements;
  }

  /** The generation whose row tells the order's status in place of this one; null if none does. */
  public @Nullable Integer getSuccessor() {
    return successor;
  }

  public void setSuccessor(@Nullable Integer successor) {
    this.successor = successor;
  }
}
