package dev.tidemark.example.orderhistory.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** What an event source mapping reads from a function's answer. */
final class BatchAnswer {
  static final ObjectMapper JSON = new ObjectMapper();

  private BatchAnswer() {}

  /** The identifiers of batch item failures; none is success. */
  static List<JsonNode> failures(String answer) {
    try {
      List<JsonNode> failures = new ArrayList<>();
      for (JsonNode failure : JSON.readTree(answer).path("batchItemFailures")) {
        JsonNode identifier = failure.path("itemIdentifier");
        boolean empty = identifier.isTextual() && identifier.asText().isEmpty();
        if (identifier.isMissingNode() || identifier.isNull() || empty) {
          throw new IllegalStateException("an item without identifier fails the whole batch");
        }
        failures.add(identifier);
      }
      return failures;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that is not JSON fails the whole batch", e);
    }
  }
}
