package dev.tidemark.spring.both;

import dev.tidemark.Tracked;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A row of either store. */
@Tracked
@DynamoDbBean
public class OrderView {
  @BsonId private @Nullable String id;

  @DynamoDbPartitionKey
  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }
}
