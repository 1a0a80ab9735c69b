package dev.tidemark.spring.slice;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** A row in DynamoDB. */
@Tracked
@InTable("accounts")
@DynamoDbBean
public class Account {
  private String id = "";
  private long cents;

  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  public long getCents() {
    return cents;
  }

  public void setCents(long cents) {
    this.cents = cents;
  }
}
