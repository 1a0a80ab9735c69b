package dev.tidemark.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Transactions on MongoDB as the contracts see them. */
final class TransactionsUnderTest implements Transactions {
  /** A counter that is full, by which a handler takes its transaction back. */
  private static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final MongoClient client;
  private final MongoDatabase database;
  private final MongoCollection<View> views;
  private final Clock clock;
  private final Map<Tracking, MongoEntityStore<View>> stores = new HashMap<>();

  TransactionsUnderTest(
      MongoClient client, MongoDatabase database, MongoCollection<View> views, Clock clock) {
    this.client = client;
    this.database = database;
    this.views = views;
    this.clock = clock;
  }

  private MongoEntityStore<View> store(Tracking tracking) {
    return stores.computeIfAbsent(
        tracking,
        of ->
            MongoEntityStore.builder(views).unmappedAttributes().tracking(of).clock(clock).build());
  }

  @Override
  public Committed commit(List<Tracked> tracked, @Nullable Count count) {
    MongoTransaction transaction = MongoTransaction.on(client);
    tracked.forEach(one -> transaction.write(store(one.tracking()), one.write()));
    if (count != null) {
      transaction.add(database, all -> add(count, all));
    }
    try {
      return transaction.commit();
    } catch (Full e) {
      return new Committed(
          false, false, Collections.nCopies(tracked.size(), Optional.empty()), List.of(0));
    }
  }

  private static void add(Count count, SessionDatabase all) {
    SessionCollection<Document> counters = all.collection("counters");
    Document found = counters.find(Filters.eq("_id", count.name())).first();
    if (found != null && found.getInteger("n") >= count.below()) {
      throw new Full();
    }
    counters.updateOne(
        Filters.eq("_id", count.name()), Updates.inc("n", 1), new UpdateOptions().upsert(true));
  }

  @Override
  public Handled<String> handle(Delivered delivered, Runnable work, Count count) {
    MongoInbox.Builder inbox =
        MongoInbox.builder(client, database, "inbox", delivered.subscriber())
            .keptFor(KEPT)
            .clock(clock);
    Duration claim = delivered.claim();
    try {
      return (claim == null ? inbox : inbox.claimingFor(claim))
          .build()
          .handle(
              delivered.message(),
              all -> {
                work.run();
                add(count, all);
                return "handled";
              });
    } catch (Full e) {
      return new Handled.Refused<>(List.of(0));
    }
  }

  private @Nullable Document document(String collection, String id) {
    return database.getCollection(collection).find(Filters.eq("_id", id)).first();
  }

  @Override
  public int counted(String name) {
    Document found = document("counters", name);
    return found == null ? 0 : found.getInteger("n");
  }

  @Override
  public Inboxed inboxed(String subscriber, MessageId message) {
    Document found = document("inbox", MessageId.of(subscriber, message.value()).value());
    if (found == null) {
      return Inboxed.NOTHING;
    }
    return found.containsKey("lease") ? Inboxed.CLAIM : Inboxed.RECORD;
  }
}
