package dev.tidemark.dynamodb;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
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
  private static final String NOTE = "note";

  /** A converter. */
  public ProcessingConverter() {}

  @Override
  public AttributeValue transformFrom(Processing processing) {
    Map<String, AttributeValue> attributes =
        new LinkedHashMap<>(Messages.toAttributes(processing.message()));
    attributes.put(NOTE, processing.note().toAttribute());
    return Values.packed(attributes, Processing.class);
  }

  @Override
  public Processing transformTo(AttributeValue attribute) {
    Map<String, AttributeValue> attributes = Values.unpacked(attribute);
    AttributeValue note = Objects.requireNonNull(attributes.get(NOTE), NOTE);
    return Processing.of(Messages.toMessage(attributes), ProcessingNote.of(note));
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
