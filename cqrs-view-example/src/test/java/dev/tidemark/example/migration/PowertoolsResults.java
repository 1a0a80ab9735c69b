package dev.tidemark.example.migration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.Optional;
import software.amazon.lambda.powertools.idempotency.IdempotencyConfig;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyItemNotFoundException;
import software.amazon.lambda.powertools.idempotency.persistence.DataRecord;
import software.amazon.lambda.powertools.idempotency.persistence.DynamoDBPersistenceStore;
import software.amazon.lambda.powertools.utilities.JsonConfig;

/** What Powertools stored of a method that was {@code @Idempotent}. */
final class PowertoolsResults {
  private final ObjectMapper json = JsonConfig.get().getObjectMapper();
  private final DynamoDBPersistenceStore records;

  PowertoolsResults(DynamoDBPersistenceStore records, IdempotencyConfig config, String method) {
    this.records = records;
    records.configure(config, method); // as they were: the stored key follows from them
  }

  // snippet: migration-powertools-results
  /** The result of an earlier call; empty where the work has to run. */
  <R> Optional<R> find(Object event, Class<R> type) throws JsonProcessingException {
    DataRecord record;
    Instant now = Instant.now();
    try {
      record = records.getRecord(json.valueToTree(event), now); // checks the validated payload
    } catch (IdempotencyItemNotFoundException e) {
      return Optional.empty();
    }
    if (record.getStatus() == DataRecord.Status.COMPLETED) {
      String data = record.getResponseData();
      return Optional.of(type == String.class ? type.cast(data) : json.readValue(data, type));
    }
    boolean isOver =
        record.getStatus() == DataRecord.Status.EXPIRED
            || record.getInProgressExpiryTimestamp().orElse(Long.MAX_VALUE) < now.toEpochMilli();
    if (!isOver) {
      throw new IllegalStateException("the function of the old version is at work on this key");
    }
    return Optional.empty(); // its function died: the work runs again
  }
  // end
}
