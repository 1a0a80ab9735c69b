package dev.tidemark.example.readme;

import dev.tidemark.Tracked;
import dev.tidemark.dynamodb.Processing;
import dev.tidemark.dynamodb.ProcessingConverter;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbConvertedBy;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** The bean of the README's section on existing Enhanced Client code. */
// snippet: extension-bean
@DynamoDbBean
@Tracked
public class Invoice {
  private String id = "";
  private @Nullable String status;
  private @Nullable Processing processing;

  @DynamoDbConvertedBy(ProcessingConverter.class) // set for each delivery, never stored
  public @Nullable Processing getProcessing() {
    return processing;
  }

  public void setProcessing(@Nullable Processing processing) {
    this.processing = processing;
  }

  // … id, status as before
  // end

  @DynamoDbPartitionKey
  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  public @Nullable String getStatus() {
    return status;
  }

  public void setStatus(@Nullable String status) {
    this.status = status;
  }
}
