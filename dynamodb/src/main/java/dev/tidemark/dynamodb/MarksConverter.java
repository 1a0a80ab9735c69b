package dev.tidemark.dynamodb;

import dev.tidemark.marks.Marks;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Lets an entity class carry its {@link Marks} in a property:
 * {@code @DynamoDbConvertedBy(MarksConverter.class)}. The property is no attribute of its own:
 * {@link DynamoDbEntityStore} and {@link TidemarkExtension} fill it with the attributes that
 * tracking owns. Without the extension DynamoDB refuses the write of an entity that carries marks,
 * and nothing is stored: the attribute holds what no server stores. May be shared by threads.
 */
public final class MarksConverter implements AttributeConverter<Marks> {
  /** No attribute has an empty name. */
  private static final String PARTIAL = "";

  /** A converter. */
  public MarksConverter() {}

  @Override
  public AttributeValue transformFrom(Marks marks) {
    Map<String, AttributeValue> attributes =
        new LinkedHashMap<>(Values.toNative(marks.attributes()));
    if (!marks.isWhole()) {
      attributes.put(PARTIAL, AttributeValue.fromBool(true));
    }
    return Values.packed(attributes, Marks.class);
  }

  @Override
  public Marks transformTo(AttributeValue attribute) {
    Map<String, AttributeValue> attributes = Values.unpacked(attribute);
    boolean whole = attributes.remove(PARTIAL) == null;
    Map<String, Object> owned = Values.toNeutral(attributes);
    return whole ? Marks.of(owned) : Marks.partial(owned);
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
