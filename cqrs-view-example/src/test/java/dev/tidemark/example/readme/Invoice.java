package dev.tidemark.example.readme;

import dev.tidemark.Tracked;
import dev.tidemark.dynamodb.Processing;
import dev.tidemark.dynamodb.ProcessingConverter;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.extensions.annotations.DynamoDbVersionAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbConvertedBy;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;

/** The bean of docs/dynamodb.md that existing Enhanced Client code writes. */
// snippet: extension-bean
@DynamoDbBean
@Tracked
public class Invoice {
  private String id = "";
  private @Nullable String status;
  private @Nullable Long version;
  private @Nullable Processing processing;

  @DynamoDbVersionAttribute // refuses what was computed from a read that is no longer true
  public @Nullable Long getVersion() {
    return version;
  }

  public void setVersion(@Nullable Long version) {
    this.version = version;
  }

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
