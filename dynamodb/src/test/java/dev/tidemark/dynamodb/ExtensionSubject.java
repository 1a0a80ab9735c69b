package dev.tidemark.dynamodb;

import dev.tidemark.Outcome;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClientExtension;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** What {@link ExtensionGuardsTest} tests: the extension and the answers of stores, as they are. */
class ExtensionSubject {
  /** The extension that writes. */
  DynamoDbEnhancedClientExtension extension(DynamoDbClient client, TidemarkExtension sound) {
    return sound;
  }

  /** What a store says of a refused write. */
  Outcome<Account> outcome(
      DynamoDbEntityStore<Account> store, ConditionalCheckFailedException refused, Account entity) {
    return store.outcomeOf(
        refused, UpdateItemEnhancedRequest.builder(Account.class).item(entity).build());
  }
}
