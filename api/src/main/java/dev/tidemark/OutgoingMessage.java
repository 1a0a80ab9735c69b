package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message that a change of an entity publishes: {@code OutgoingMessage.to("orders",
 * json).key(orderId).type("OrderPaid")}. The write that changes the entity also stores the message
 * in the entity, and a relay sends the message afterwards. The library does not look into the
 * payload. Immutable; each method returns a new message.
 */
public final class OutgoingMessage {
  /** Also escaped, and with what a relay puts before it, it has to be a key of any store. */
  private static final int MOST_OF_ID = 512;

  private final String topic;
  private final Object payload;
  private final @Nullable String id;
  private final @Nullable String key;
  private final @Nullable String type;
  private final Map<String, String> headers;
  private final boolean ordered;

  private OutgoingMessage(
      String topic,
      Object payload,
      @Nullable String id,
      @Nullable String key,
      @Nullable String type,
      Map<String, String> headers,
      boolean ordered) {
    this.topic = topic;
    this.payload = payload;
    this.id = id;
    this.key = key;
    this.type = type;
    this.headers = headers;
    this.ordered = ordered;
  }

  /**
   * A message with a text.
   *
   * @param topic where it goes, as the sender of the relay understands it; not empty
   * @param payload such as JSON
   * @return the message
   */
  public static OutgoingMessage to(String topic, String payload) {
    return new OutgoingMessage(
        Text.notEmpty("topic", topic),
        Text.wellFormed("payload", payload),
        null,
        null,
        null,
        Map.of(),
        true);
  }

  /**
   * A message with bytes.
   *
   * @param topic where it goes, as the sender of the relay understands it; not empty
   * @param payload such as Avro or Protobuf
   * @return the message
   */
  public static OutgoingMessage to(String topic, byte[] payload) {
    Object bytes = ByteBuffer.wrap(Text.given("payload", payload).clone()).asReadOnlyBuffer();
    return new OutgoingMessage(
        Text.notEmpty("topic", topic), bytes, null, null, null, Map.of(), true);
  }

  /**
   * Gives the message an ID of the caller's own. Without one, the ID is derived from the entity,
   * the handled message, and the place of this message among those that the handled message
   * publishes, so the ID is the same at every try.
   *
   * <p>The name of the table, or of the database and the collection, is in a derived ID; an
   * account, a region and a server are not. Two tables of one name that handle the same message for
   * the same entity give the same ID to what they publish, and a consumer of both would drop one of
   * the two. There give IDs of your own, or another subscriber's name to each of the two ({@link
   * Tracking#as}) before they handle their first message.
   *
   * @param id not empty, at most 512 characters, and never used for another message
   * @return this message with that ID
   * @throws IllegalArgumentException if it is empty, longer, or has a lone surrogate
   */
  public OutgoingMessage id(String id) {
    return new OutgoingMessage(
        topic, payload, Text.atMost(MOST_OF_ID, "id", id), key, type, headers, ordered);
  }

  /**
   * Gives it the key by which a broker picks a partition or a group.
   *
   * @param key not empty
   * @return this message with that key
   */
  public OutgoingMessage key(String key) {
    return new OutgoingMessage(
        topic, payload, id, Text.notEmpty("key", key), type, headers, ordered);
  }

  /**
   * Names what it is.
   *
   * @param type such as the class of an event; not empty
   * @return this message with that type
   */
  public OutgoingMessage type(String type) {
    return new OutgoingMessage(
        topic, payload, id, key, Text.notEmpty("type", type), headers, ordered);
  }

  /**
   * Adds a header, or replaces the one of that name.
   *
   * @param name not empty
   * @param value any text
   * @return this message with that header
   */
  public OutgoingMessage header(String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(Text.notEmpty("header", name), Text.wellFormed(() -> "header '" + name + "'", value));
    return new OutgoingMessage(
        topic, payload, id, key, type, Collections.unmodifiableMap(all), ordered);
  }

  /**
   * Lets it be sent before, after or beside the entity's other messages, which are sent in the
   * order in which they were published.
   *
   * @return this message, out of order
   */
  public OutgoingMessage unordered() {
    return new OutgoingMessage(topic, payload, id, key, type, headers, false);
  }

  /**
   * Where it goes.
   *
   * @return not empty
   */
  public String topic() {
    return topic;
  }

  /**
   * The payload as bytes; a text is in UTF-8.
   *
   * @return a copy
   */
  public byte[] bytes() {
    if (payload instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    ByteBuffer buffer = ((ByteBuffer) payload).duplicate();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /**
   * The payload as a text.
   *
   * @return empty if it was given as bytes
   */
  public Optional<String> text() {
    return payload instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /**
   * About how much memory the message takes, without a copy of it.
   *
   * @return the length of its payload and of its texts, in bytes or characters
   */
  public long size() {
    long size = payload instanceof String text ? text.length() : ((ByteBuffer) payload).remaining();
    for (Map.Entry<String, String> header : headers.entrySet()) {
      size += header.getKey().length() + header.getValue().length();
    }
    return size + topic.length();
  }

  /**
   * The ID.
   *
   * @return empty before it is stored, unless the caller gave one
   */
  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /**
   * The key by which a broker picks a partition or a group.
   *
   * @return empty if there is none
   */
  public Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /**
   * What it is.
   *
   * @return empty if that is not named
   */
  public Optional<String> type() {
    return Optional.ofNullable(type);
  }

  /**
   * The headers.
   *
   * @return by name, in the order in which they were given
   */
  public Map<String, String> headers() {
    return headers;
  }

  /**
   * Whether it is sent in the order of the entity.
   *
   * @return true unless {@link #unordered} was said
   */
  public boolean isOrdered() {
    return ordered;
  }

  /** Names topic and type, never key, headers or payload. */
  @Override
  public String toString() {
    String of = type == null ? "" : ", " + Text.shown(type);
    return "OutgoingMessage[" + Text.shown(topic) + of + "]";
  }
}
