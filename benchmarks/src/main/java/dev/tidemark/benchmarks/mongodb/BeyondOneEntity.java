package dev.tidemark.benchmarks.mongodb;

import static dev.tidemark.EntityKey.key;
import static dev.tidemark.benchmarks.measure.OneByOne.guarded;

import com.mongodb.client.MongoClient;
import dev.tidemark.EntityUpdate;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.benchmarks.measure.Crowded;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.inbox.Handled;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.mongodb.MongoNativeUpdate;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.mongodb.MongoTransaction;
import java.util.List;
import org.bson.Document;

/** The same change under an idempotency key, by an inbox, and in a transaction. */
final class BeyondOneEntity {
  private final MongoClient client;
  private final ByHand byHand;
  private final Executions keys;
  private final MongoInbox inbox;
  private final MongoEntityStore<Document> orders;
  private final MongoEntityStore<Document> remembering;

  BeyondOneEntity(Collections collections, ByHand byHand) {
    this.client = collections.client();
    this.byHand = byHand;
    this.keys = Executions.of("orders", MongoRecordStore.of(collections.executions()));
    this.inbox = MongoInbox.of(client, collections.database(), Collections.INBOX, "orders");
    this.orders = MongoEntityStore.of(collections.orders());
    this.remembering =
        MongoEntityStore.builder(collections.orders())
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

  /** The change without a guard of its own. */
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
            steps -> MongoNativeUpdate.of(ByHand.change(event)))
        instanceof Execution.Executed;
  }

  private boolean byInbox(Event event) {
    return inbox.handle(
            MessageId.of(event.id()),
            all ->
                all.collection(Collections.ORDERS)
                    .updateOne(ByHand.id(event), ByHand.change(event))
                    .getMatchedCount())
        instanceof Handled.Applied;
  }

  private boolean inTransaction(Event event) {
    return MongoTransaction.on(client)
        .write(
            orders,
            Write.update(
                WithTidemark.source(event),
                key(event.entity()),
                MongoNativeUpdate.of(ByHand.change(event))))
        .commit()
        .isCommitted();
  }
}
