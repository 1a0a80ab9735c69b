package dev.tidemark.dynamodb;

import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Messages as attributes: the form in which one passes the Enhanced Client, never stored. */
final class Messages {
  private Messages() {}

  static Map<String, AttributeValue> toAttributes(Message message) {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    if (message instanceof MessageId id) {
      attributes.put("id", AttributeValue.fromS(id.value()));
      id.sentAt().ifPresent(at -> attributes.put("sentAt", AttributeValue.fromS(at.toString())));
      return attributes;
    }
    SourceEvent event = (SourceEvent) message;
    attributes.put("type", AttributeValue.fromS(event.source().type()));
    attributes.put("source", AttributeValue.fromS(event.source().id()));
    attributes.put("generation", AttributeValue.fromN(Long.toString(event.source().generation())));
    attributes.put(
        "position",
        event.position() instanceof Position.Fixed text
            ? AttributeValue.fromS(text.value())
            : AttributeValue.fromN(event.position().toString()));
    return attributes;
  }

  static Message toMessage(Map<String, AttributeValue> attributes) {
    AttributeValue id = attributes.get("id");
    if (id != null) {
      MessageId message = messageId(id.s());
      AttributeValue sentAt = attributes.get("sentAt");
      return sentAt == null ? message : message.sentAt(Instant.parse(sentAt.s()));
    }
    AttributeValue position = required(attributes, "position");
    Source source =
        new Source(
            required(attributes, "type").s(),
            required(attributes, "source").s(),
            Long.parseLong(required(attributes, "generation").n()));
    return SourceEvent.of(
        source,
        position.s() != null
            ? Position.ofText(position.s())
            : Position.of(new BigInteger(position.n())));
  }

  /** The id whose value this is. */
  private static MessageId messageId(String value) {
    if (value.startsWith("%")) {
      return MessageId.of(value.substring(1));
    }
    if (!value.startsWith("/")) {
      return MessageId.of(value);
    }
    List<String> fields =
        Arrays.stream(value.substring(1).split("/", -1))
            .map(field -> field.replace("%2F", "/").replace("%25", "%"))
            .toList();
    String[] more = fields.subList(2, fields.size()).toArray(String[]::new);
    return MessageId.of(fields.get(0), fields.get(1), more);
  }

  private static AttributeValue required(Map<String, AttributeValue> attributes, String name) {
    AttributeValue value = attributes.get(name);
    if (value == null) {
      throw new IllegalArgumentException("a message has no " + name);
    }
    return value;
  }
}
