package dev.tidemark.lambda;

import java.util.List;

/**
 * What a Kafka event source mapping reads from the answer, if it reports batch item failures; that
 * takes provisioned mode. AWS's library of event classes has no class for it.
 *
 * @param batchItemFailures where to read on, for each partition that is not done; empty if all are
 */
public record KafkaBatchResponse(List<BatchItemFailure> batchItemFailures) {
  /**
   * Copies the list.
   *
   * @param batchItemFailures where to read on, for each partition that is not done
   */
  public KafkaBatchResponse {
    batchItemFailures = List.copyOf(batchItemFailures);
  }

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
