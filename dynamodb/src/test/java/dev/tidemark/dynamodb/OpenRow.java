package dev.tidemark.dynamodb;

import dev.tidemark.Message;
import dev.tidemark.Tracked;
import dev.tidemark.marks.Marks;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbConvertedBy;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbFlatten;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A tracked class whose attributes have names that are not known before. */
@DynamoDbBean
@Tracked
public final class OpenRow {
  private @Nullable String id;
  private @Nullable Map<String, String> others = new LinkedHashMap<>();
  private @Nullable Marks marks;
  private @Nullable Processing processing;

  static OpenRow of(String id) {
    OpenRow row = new OpenRow();
    row.id = id;
    row.marks = Marks.none();
    return row;
  }

  OpenRow with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(others == null ? Map.of() : others);
    more.put(name, value);
    others = more;
    return this;
  }

  OpenRow processing(Message message) {
    processing = Processing.of(message);
    return this;
  }

  @DynamoDbPartitionKey
  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }

  @DynamoDbFlatten
  public @Nullable Map<String, String> getOthers() {
    return others;
  }

  public void setOthers(@Nullable Map<String, String> others) {
    this.others = others;
  }

  @DynamoDbConvertedBy(MarksConverter.class)
  public @Nullable Marks getMarks() {
    return marks;
  }

  public void setMarks(@Nullable Marks marks) {
    this.marks = marks;
  }

  @DynamoDbConvertedBy(ProcessingConverter.class)
  public @Nullable Processing getProcessing() {
    return processing;
  }

  public void setProcessing(@Nullable Processing processing) {
    this.processing = processing;
  }
}
