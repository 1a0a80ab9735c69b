package dev.tidemark.dynamodb;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One conditional write, ready to be sent, and to be sent again after a lost reply. */
@FunctionalInterface
interface ReadyWrite {
  /** Sends it; the result is the item after it, empty if that is deleted. */
  CompletableFuture<Map<String, AttributeValue>> send(Attempts attempts);
}
