package dev.tidemark.spring.single;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A row without indexes. */
@Tracked
@InTable("single")
@DynamoDbBean
public class Parcel {
  private @Nullable String id;

  @DynamoDbPartitionKey
  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }
}
