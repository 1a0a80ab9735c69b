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
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Lets an entity class have a property of type {@link Processing}. {@link TidemarkExtension} takes
 * it out of every write. Without the extension DynamoDB refuses the write, and nothing is stored:
 * the attribute holds what no server stores. May be shared by threads.
 */
public final class ProcessingConverter implements AttributeConverter<Processing> {
  /** A converter. */
  public ProcessingConverter() {}

  @Override
  public AttributeValue transformFrom(Processing processing) {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    if (processing.message() instanceof MessageId id) {
      attributes.put("id", AttributeValue.fromS(id.value()));
      id.sentAt().ifPresent(at -> attributes.put("sentAt", AttributeValue.fromS(at.toString())));
    } else {
      SourceEvent event = (SourceEvent) processing.message();
      Source source = event.source();
      attributes.put("type", AttributeValue.fromS(source.type()));
      attributes.put("source", AttributeValue.fromS(source.id()));
      attributes.put("generation", AttributeValue.fromN(Long.toString(source.generation())));
      attributes.put(
          "position",
          event.position() instanceof Position.Textual text
              ? AttributeValue.fromS(text.value())
              : AttributeValue.fromN(event.position().toString()));
    }
    attributes.put("note", processing.note().toAttribute());
    return Values.packed(attributes, Processing.class);
  }

  @Override
  public Processing transformTo(AttributeValue attribute) {
    Map<String, AttributeValue> attributes = Values.unpacked(attribute);
    Message message = attributes.containsKey("id") ? messageId(attributes) : event(attributes);
    return new Processing(message, Processing.Note.of(required(attributes, "note")));
  }

  private static Message event(Map<String, AttributeValue> attributes) {
    AttributeValue position = required(attributes, "position");
    return SourceEvent.of(
        new Source(
            required(attributes, "type").s(),
            required(attributes, "source").s(),
            Long.parseLong(required(attributes, "generation").n())),
        position.s() != null
            ? Position.ofText(position.s())
            : Position.of(new BigInteger(position.n())));
  }

  private static Message messageId(Map<String, AttributeValue> attributes) {
    MessageId id = messageId(required(attributes, "id").s());
    AttributeValue sentAt = attributes.get("sentAt");
    return sentAt == null ? id : id.sentAt(Instant.parse(sentAt.s()));
  }

  /** The id whose value this is. */
  private static MessageId messageId(String value) {
    if (!value.startsWith("/")) {
      return MessageId.of(value.startsWith("%") ? value.substring(1) : value);
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

  @Override
  public EnhancedType<Processing> type() {
    return EnhancedType.of(Processing.class);
  }

  @Override
  public AttributeValueType attributeValueType() {
    return AttributeValueType.L;
  }
}
