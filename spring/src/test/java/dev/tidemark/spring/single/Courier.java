package dev.tidemark.spring.single;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondaryPartitionKey;

/** A row that is found by its town, too. */
@Tracked
@InTable("single")
@DynamoDbBean
public class Courier {
  private @Nullable String id;
  private @Nullable String town;

  @DynamoDbPartitionKey
  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }

  @DynamoDbSecondaryPartitionKey(indexNames = "byTown")
  public @Nullable String getTown() {
    return town;
  }

  public void setTown(@Nullable String town) {
    this.town = town;
  }
}
