package dev.tidemark.lambda;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The answer to a mapping of a stream, which reads its shard again from one record on. */
final class Checkpoint {
  private Checkpoint() {}

  /** Refuses what could be no checkpoint before anything is handled. */
  static void requireNumber(String sequenceNumber) {
    if (!sequenceNumber.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException(
          "the sequence number of a record must be digits, was '" + sequenceNumber + "'");
    }
  }

  /** Names the lowest number, whatever the order of the event: all behind it comes again. */
  static StreamsEventResponse answer(List<String> undone, Set<String> shards) {
    if (!undone.isEmpty() && shards.size() > 1) {
      throw new IllegalStateException(
          "an event with records of %d shards is not done; an answer has one checkpoint, so all of it has to come again"
              .formatted(shards.size()));
    }
    return new StreamsEventResponse(
        undone.stream()
            .min(Comparator.comparing(BigInteger::new))
            .map(BatchItemFailure::new)
            .stream()
            .toList());
  }
}
