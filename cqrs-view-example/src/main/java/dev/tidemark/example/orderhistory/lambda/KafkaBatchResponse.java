package dev.tidemark.example.orderhistory.lambda;

import java.util.List;

/**
 * What a Kafka event source mapping in provisioned mode reads from the answer, if it is told to
 * take batch item failures. The library of event classes has no class for it yet.
 *
 * @param batchItemFailures where to read on, for each partition that is not done; empty if all are
 */
public record KafkaBatchResponse(List<BatchItemFailure> batchItemFailures) {
  /**
   * One partition that is not done.
   *
   * @param itemIdentifier the first record that is not
   */
  public record BatchItemFailure(ItemIdentifier itemIdentifier) {}

  /**
   * A place in Kafka.
   *
   * @param partition topic and partition as the event has them, such as {@code orders-3}
   * @param offset the record's
   */
  public record ItemIdentifier(String partition, long offset) {}
}
