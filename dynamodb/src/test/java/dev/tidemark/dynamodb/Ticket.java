package dev.tidemark.dynamodb;

import dev.tidemark.Tracked;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A tracked class without a property of type Marks. */
@DynamoDbBean
@Tracked
public final class Ticket {
  private @Nullable String id = "t";

  @DynamoDbPartitionKey
  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }
}
