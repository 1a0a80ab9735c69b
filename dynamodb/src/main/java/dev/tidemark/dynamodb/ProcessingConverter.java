package dev.tidemark.dynamodb;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Lets an entity class have a property of type {@link Processing}. {@link TidemarkExtension} takes
 * it out of every write. May be shared by threads.
 */
public final class ProcessingConverter implements AttributeConverter<Processing> {
  private static final String TOKEN = "token";

  /** A converter. */
  public ProcessingConverter() {}

  @Override
  public AttributeValue transformFrom(Processing processing) {
    Map<String, AttributeValue> attributes =
        new LinkedHashMap<>(DynamoDbMessages.toAttributes(processing.message()));
    attributes.put(TOKEN, DynamoDbValues.toNative((Object) processing.token()));
    return DynamoDbValues.packed(attributes);
  }

  @Override
  public Processing transformTo(AttributeValue attribute) {
    Map<String, AttributeValue> attributes = DynamoDbValues.unpacked(attribute);
    AttributeValue token = Objects.requireNonNull(attributes.get(TOKEN), TOKEN);
    ByteBuffer bytes = token.b().asByteBuffer();
    return Processing.of(DynamoDbMessages.toMessage(attributes), bytes);
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
