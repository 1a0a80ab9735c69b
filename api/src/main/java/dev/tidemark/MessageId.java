package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An opaque id, unique for one message: a UUID, an SQS or AMQP message id, or several fields that
 * are unique together. Two ids are equal if their {@link #value()} is; {@link #sentAt()} is not
 * part of the identity.
 */
public final class MessageId implements Message {
  private final String value;
  private final @Nullable Instant sentAt;

  private MessageId(String value, @Nullable Instant sentAt) {
    this.value = Text.identity("message ID", value);
    this.sentAt = sentAt;
  }

  /**
   * The id in one string. It is stored as it is, unless it starts with {@code /} or {@code %},
   * which mark an id of several fields.
   *
   * @param value not empty, at most 8,192 characters, well-formed Unicode
   * @return the id
   * @throws IllegalArgumentException if the value is empty, longer, or has a lone surrogate
   */
  public static MessageId of(String value) {
    return new MessageId(Text.join(List.of(Text.notEmpty("message ID", value))), null);
  }

  /**
   * The id of a UUID; equal to {@link #of(String)} of its usual lower-case form.
   *
   * @param value the UUID
   * @return the id
   */
  public static MessageId of(UUID value) {
    return of(Text.given("message ID", value).toString());
  }

  /**
   * An id of several fields that are unique together, such as a tenant and a number. The fields
   * cannot run into each other: ("A", "11") is another id than ("A1", "1"), and neither is the id
   * of any single string. Joined, the fields have at most 8,192 characters, three for each {@code
   * /} and {@code %} in them.
   *
   * @param first the first field, may be empty
   * @param second the second field, may be empty
   * @param more further fields
   * @return the id
   * @throws IllegalArgumentException if a field has a lone surrogate, or if they are too long
   */
  public static MessageId of(String first, String second, String... more) {
    List<String> fields = new ArrayList<>();
    fields.add(Text.given("first field of a message ID", first));
    fields.add(Text.given("second field of a message ID", second));
    for (String field : Text.given("further fields of a message ID", more)) {
      fields.add(Text.given("further field of a message ID", field));
    }
    return new MessageId(Text.join(fields), null);
  }

  /**
   * The {@code MessageId} of an SQS message. It survives redelivery, but neither a producer's retry
   * on a standard queue nor a redrive from a dead-letter queue: both give the message a new id.
   *
   * @param messageId a UUID, as SQS assigns it
   * @return the id
   * @throws IllegalArgumentException if it is not a UUID
   */
  public static MessageId sqs(String messageId) {
    try {
      return of(UUID.fromString(messageId));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "SQS message id must be a UUID, was '" + Text.shown(messageId) + "'", e);
    }
  }

  /**
   * The {@code message-id} property of an AMQP message, which its producer sets.
   *
   * @param messageId at most 255 bytes of UTF-8, as AMQP 0-9-1 allows
   * @return the id
   * @throws IllegalArgumentException if it is empty, longer, or has a lone surrogate
   */
  public static MessageId amqp(String messageId) {
    String id = Text.notEmpty("AMQP message-id", messageId);
    if (id.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > 255) {
      throw new IllegalArgumentException(
          "AMQP message-id must be at most 255 bytes, was '" + Text.shown(messageId) + "'");
    }
    return of(id);
  }

  /**
   * The same id with the time at which the message was sent. Where message IDs are kept for a
   * duration, a message that is older than what an entity still remembers is then answered {@link
   * Outcome.BeyondHorizon} instead of being applied again.
   *
   * @param sentAt when the message was first sent, by the producer's clock
   * @return an id with that time
   */
  public MessageId sentAt(Instant sentAt) {
    return new MessageId(value, Text.given("sentAt", sentAt));
  }

  /**
   * When the message was first sent, where that is known.
   *
   * @return the time that was given to {@link #sentAt(Instant)}
   */
  public Optional<Instant> sentAt() {
    return Optional.ofNullable(sentAt);
  }

  /**
   * The id as one string, in the form in which it is stored.
   *
   * @return never empty
   */
  public String value() {
    return value;
  }

  /**
   * The id as a UUID, if it is the usual lower-case form of one, which a compact tracking stores as
   * 16 bytes.
   *
   * @return the UUID whose {@code toString()} is {@link #value()}
   */
  public Optional<UUID> uuid() {
    if (value.length() != 36) {
      return Optional.empty();
    }
    try {
      UUID uuid = UUID.fromString(value);
      return uuid.toString().equals(value) ? Optional.of(uuid) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MessageId id && id.value.equals(value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  /** Names the id, cut at 64 characters. */
  @Override
  public String toString() {
    return "MessageId[" + Text.shown(value) + "]";
  }
}
