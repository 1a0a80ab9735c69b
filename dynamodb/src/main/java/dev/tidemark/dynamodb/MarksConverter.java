package dev.tidemark.dynamodb;

import dev.tidemark.Marks;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Lets an entity class carry its {@link Marks} in a property:
 * {@code @DynamoDbConvertedBy(MarksConverter.class)}. The property is no attribute of its own:
 * {@link DynamoDbEntityStore} and {@link TidemarkExtension} fill it with the attributes that
 * tracking owns. May be shared by threads.
 */
public final class MarksConverter implements AttributeConverter<Marks> {
  /** A converter. */
  public MarksConverter() {}

  static AttributeValue toAttribute(Marks marks) {
    return DynamoDbValues.packed(DynamoDbValues.toNative(marks.attributes()));
  }

  @Override
  public AttributeValue transformFrom(Marks marks) {
    return toAttribute(marks);
  }

  @Override
  public Marks transformTo(AttributeValue attribute) {
    return Marks.of(DynamoDbValues.toNeutral(DynamoDbValues.unpacked(attribute)));
  }

  @Override
  public EnhancedType<Marks> type() {
    return EnhancedType.of(Marks.class);
  }

  @Override
  public AttributeValueType attributeValueType() {
    return AttributeValueType.L;
  }
}
