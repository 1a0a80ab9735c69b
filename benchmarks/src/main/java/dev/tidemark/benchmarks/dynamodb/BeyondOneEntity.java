package dev.tidemark.benchmarks.dynamodb;

import static dev.tidemark.EntityKey.key;
import static dev.tidemark.benchmarks.measure.OneByOne.guarded;

import dev.tidemark.EntityUpdate;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.benchmarks.measure.Crowded;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.dynamodb.DynamoDbTransaction;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.inbox.Handled;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The same change under an idempotency key, by an inbox, and in a transaction. */
final class BeyondOneEntity {
  private final DynamoDbClient client;
  private final ByHand byHand;
  private final Executions keys;
  private final DynamoDbInbox inbox;
  private final DynamoDbEntityStore<Order> orders;
  private final DynamoDbEntityStore<Order> remembering;

  BeyondOneEntity(DynamoDbClient client, ByHand byHand) {
    this.client = client;
    this.byHand = byHand;
    this.keys = Executions.of("orders", DynamoDbRecordStore.of(client, Tables.EXECUTIONS));
    this.inbox = DynamoDbInbox.of(client, Tables.INBOX, "orders");
    this.orders = DynamoDbEntityStore.of(client, Tables.ORDERS, TableSchema.fromBean(Order.class));
    this.remembering =
        DynamoDbEntityStore.builder(client, Tables.ORDERS, TableSchema.fromBean(Order.class))
            .tracking(Tracking.defaults().messageIds(IdPolicy.forEver().compact()))
            .build();
  }

  List<Technique> all() {
    return List.of(
        guarded("Tidemark key", this::underKey),
        guarded("Tidemark key, completing write", this::completed),
        guarded("Tidemark inbox", this::byInbox),
        guarded("Tidemark transaction", this::inTransaction),
        Crowded.of(guarded("Tidemark inbox", this::byInbox)));
  }

  /** The change without a guard of its own, as beside Powertools. */
  private boolean underKey(Event event) {
    return keys.run(event.id(), event.id(), Boolean.class, steps -> byHand.unguarded(event))
        instanceof Execution.Executed;
  }

  /** The change as the completion, so that both are one write. */
  private boolean completed(Event event) {
    Completion<EntityUpdate, Boolean> written = Completion.in(remembering, key(event.entity()));
    return keys.run(
            event.id(),
            event.id(),
            Boolean.class,
            written,
            steps -> WithTidemark.nativeChange(event))
        instanceof Execution.Executed;
  }

  private boolean byInbox(Event event) {
    return inbox.handle(
            MessageId.of(event.id()),
            writes -> {
              writes.update(update -> changed(update, event));
              return true;
            })
        instanceof Handled.Applied;
  }

  private static void changed(Update.Builder update, Event event) {
    UpdateItemRequest change = ByHand.change(event).build();
    update
        .tableName(change.tableName())
        .key(change.key())
        .updateExpression(change.updateExpression())
        .expressionAttributeNames(change.expressionAttributeNames())
        .expressionAttributeValues(change.expressionAttributeValues());
  }

  private boolean inTransaction(Event event) {
    return DynamoDbTransaction.on(client)
        .write(
            orders,
            Write.update(
                WithTidemark.source(event), key(event.entity()), WithTidemark.nativeChange(event)))
        .commit()
        .isCommitted();
  }
}
