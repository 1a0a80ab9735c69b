package dev.tidemark.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A message as SQS and SNS take it: a text with attributes. */
record Letter(String body, Map<String, String> attributes) {
  static final String ID = "tidemark-id";
  static final String DESTINATION = "tidemark-destination";
  static final String TYPE = "tidemark-type";
  static final String ENCODING = "tidemark-encoding";

  static final int MOST_ATTRIBUTES = 10;

  /** How the attributes of dead letters begin. */
  private static final String DEAD = "tidemark-dead-";

  private static final int BYTES_OF_STRING_TYPE = "String".length();

  /**
   * The letter of a message.
   *
   * @param destination the URL of a queue, or the ARN of a topic
   */
  static Letter of(OutboxMessage outgoing, String destination) {
    OutgoingMessage message = outgoing.message();
    Map<String, String> attributes = new LinkedHashMap<>(message.headers());
    attributes.put(ID, outgoing.id());
    message.type().ifPresent(type -> attributes.put(TYPE, type));
    if (message.text().isEmpty()) {
      attributes.put(ENCODING, "base64");
    }
    attributes.remove(DESTINATION);
    if (!isFull(attributes)) { // else the message can be sent, and known, without it
      attributes.put(DESTINATION, name(destination));
    }
    if (attributes.size() > MOST_ATTRIBUTES) {
      Set<String> names = attributes.keySet();
      throw new IllegalArgumentException(
          "a message to SQS or SNS has at most 10 attributes, but this one needs "
              + names.size()
              + ": "
              + names
              + "; have fewer headers, or put them into the payload");
    }
    String body =
        message.text().orElseGet(() -> Base64.getEncoder().encodeToString(message.bytes()));
    return new Letter(body, attributes);
  }

  /**
   * Whether attributes leave no room for a destination that is not among them. What dead letters
   * add does not count: it came later.
   */
  static boolean isFull(Map<String, ?> attributes) {
    Stream<String> given = attributes.keySet().stream().filter(n -> !n.startsWith(DEAD));
    return given.count() >= MOST_ATTRIBUTES && !attributes.containsKey(DESTINATION);
  }

  /** A digest of a body and attributes, but for those of dead letters, which come later. */
  static String digest(String body, Map<String, String> attributes) {
    StringBuilder all = new StringBuilder(body.length() + ":" + body);
    new TreeMap<>(attributes)
        .forEach(
            (name, value) -> {
              if (!name.startsWith(DEAD)) {
                all.append(name.length()).append(':').append(name);
                all.append(value.length()).append(':').append(value);
              }
            });
    return "/" + UUID.nameUUIDFromBytes(all.toString().getBytes(UTF_8));
  }

  /** The last part of a URL or an ARN: by its name a queue, or a topic, knows what is its own. */
  static String name(String destination) {
    int before = Math.max(destination.lastIndexOf('/'), destination.lastIndexOf(':'));
    return destination.substring(before + 1);
  }

  /** The group of a FIFO queue or topic. */
  static String group(OutboxMessage outgoing, @Nullable Function<OutboxMessage, String> otherwise) {
    Optional<String> key = outgoing.message().key();
    if (key.isPresent()) {
      return key.get();
    }
    if (otherwise == null) {
      throw new IllegalArgumentException(
          "a message to a FIFO queue or topic needs a key, or a sender with groupedBy");
    }
    return otherwise.apply(outgoing);
  }

  static boolean isFifo(String destination) {
    return destination.endsWith(".fifo");
  }

  /** What counts for the limits of a request. */
  int bytes() {
    int bytes = Batches.bytes(body);
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      bytes += Batches.bytes(attribute.getKey());
      bytes += Batches.bytes(attribute.getValue()) + BYTES_OF_STRING_TYPE;
    }
    return bytes;
  }

  /** The attributes with values of a service's own type. */
  <A> Map<String, A> attributes(Function<String, A> value) {
    return attributes.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> value.apply(e.getValue())));
  }

  /** Names body and attributes by their sizes alone. */
  @Override
  public String toString() {
    return "Letter[" + body.getBytes(UTF_8).length + " bytes]";
  }
}
