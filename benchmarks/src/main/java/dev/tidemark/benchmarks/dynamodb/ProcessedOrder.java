package dev.tidemark.benchmarks.dynamodb;

import dev.tidemark.dynamodb.Processing;
import dev.tidemark.dynamodb.ProcessingConverter;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbConvertedBy;

/** The entity as Tidemark's extension wants it: with the message that it is written for. */
@DynamoDbBean
public class ProcessedOrder extends Order {
  private @Nullable Processing processing;

  /**
   * The delivery; never stored.
   *
   * @return the message being processed
   */
  @DynamoDbConvertedBy(ProcessingConverter.class)
  public @Nullable Processing getProcessing() {
    return processing;
  }

  /**
   * Sets the delivery.
   *
   * @param processing the message being processed
   */
  public void setProcessing(@Nullable Processing processing) {
    this.processing = processing;
  }
}
