package dev.tidemark.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Source;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.BackendFactory;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Neutral;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.View;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.jspecify.annotations.Nullable;

/** One server as the contracts see it; all that is sent goes through the proxy. */
final class MongoBackend implements Backend {
  private static final int TOO_MANY_REQUESTS = 16500;
  private static final int WRITE_CONFLICT = 112;

  /** The configured server. */
  public static final class Factory implements BackendFactory {
    /** Called by the contracts. */
    public Factory() {}

    @Override
    public Backend open() {
      return new MongoBackend();
    }
  }

  private final MongoProxy proxy;
  private final MongoCommands commands = new MongoCommands();
  private final MongoClient client;
  private final MongoDatabase database;
  private final MongoCollection<View> views;
  private final MongoCollection<View> composite;
  private final MongoCollection<BsonDocument> executions;

  MongoBackend() {
    ConnectionString target = new ConnectionString(MongoServers.uri());
    ServerAddress address = new ServerAddress(target.getHosts().get(0));
    this.proxy = new MongoProxy(address.getHost(), address.getPort());
    this.client = MongoClients.create(settings(proxy.port()).addCommandListener(commands).build());
    this.database = client.getDatabase("tck" + System.nanoTime());
    CodecRegistry defaults = MongoClientSettings.getDefaultCodecRegistry();
    this.views =
        database
            .getCollection("views", View.class)
            .withCodecRegistry(
                CodecRegistries.fromRegistries(
                    defaults,
                    CodecRegistries.fromProviders(
                        PojoCodecProvider.builder().automatic(true).build())));
    this.composite =
        database
            .getCollection("compositeViews", View.class)
            .withCodecRegistry(
                CodecRegistries.fromRegistries(
                    CodecRegistries.fromCodecs(new CompositeViewCodec(views.getCodecRegistry())),
                    defaults));
    this.executions = database.getCollection("executions", BsonDocument.class);
    MongoRecordStore.createIndexes(executions);
    MongoOutbox.of(views).createIndex();
  }

  /** Settings under which a lost server is found again at once. */
  static MongoClientSettings.Builder settings(int port) {
    String uri = "mongodb://127.0.0.1:" + port + "/?directConnection=true";
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(uri))
        .applyToServerSettings(s -> s.minHeartbeatFrequency(10, TimeUnit.MILLISECONDS));
  }

  @Override
  public String name() {
    return "MongoDB";
  }

  @Override
  public Map<Capability, String> missing() {
    return Map.of();
  }

  @Override
  public EntityStore<View> views(Tracking tracking, Clock clock) {
    return MongoEntityStore.builder(views)
        .unmappedAttributes()
        .tracking(tracking)
        .clock(clock)
        .build();
  }

  @Override
  public EntityStore<View> views(Tracking tracking, Clock clock, MarkCache cache) {
    return MongoEntityStore.builder(views)
        .unmappedAttributes()
        .tracking(tracking)
        .clock(clock)
        .markCache(cache)
        .build();
  }

  @Override
  public EntityStore<View> compositeViews(Tracking tracking, Clock clock) {
    return MongoEntityStore.builder(composite)
        .unmappedAttributes()
        .tracking(tracking)
        .clock(clock)
        .compoundId("id", "sort")
        .build();
  }

  @Override
  public EntityUpdate counting(EntityUpdate.Rules rules, @Nullable String status) {
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("total", 1L));
    update = status == null ? update : update.onlyIf(new Document("status", status));
    update = rules.creates() ? update.createIfMissing() : update;
    update = rules.revives() ? update.recreate() : update;
    update = rules.skipsOtherwise() ? update.otherwiseSkip() : update;
    update = rules.returns() ? update.returning() : update;
    for (Source source : rules.retired()) {
      update = update.retire(source);
    }
    for (OutgoingMessage message : rules.published()) {
      update = update.publish(message);
    }
    return update;
  }

  @Override
  public RecordStore recordStore(Clock clock) {
    MongoRecordStore records = MongoRecordStore.of(executions, clock);
    var unused = records.read("so that the kind of the collection is not asked later");
    return records;
  }

  @Override
  public OutboxRecords outboxRecords(Clock clock) {
    return MongoOutbox.builder(views).clock(clock).build();
  }

  @Override
  public Transactions transactions(Clock clock) {
    return new TransactionsUnderTest(client, database, views, clock);
  }

  private BsonDocument id(EntityKey key) {
    List<String> fields = key.parts().size() == 1 ? List.of() : List.of("id", "sort");
    Names names = Names.nested(Tracking.defaults());
    return new Mapping<>(Document.class, views.getCodecRegistry(), names, fields, true).key(key);
  }

  private MongoCollection<BsonDocument> documents(EntityKey key) {
    return (key.parts().size() == 1 ? views : composite)
        .withDocumentClass(BsonDocument.class)
        .withReadConcern(ReadConcern.MAJORITY)
        .withWriteConcern(WriteConcern.MAJORITY);
  }

  @Override
  public Optional<EntityUpdate> inOwnWords(Change change) {
    return NativeChanges.of(change);
  }

  @Override
  public Optional<Map<String, Object>> raw(EntityKey key) {
    BsonDocument document = documents(key).find(id(key)).first();
    if (document == null) {
      return Optional.empty();
    }
    document.remove("_id");
    MarkFields records = new MarkFields(Names.nested(Tracking.defaults()));
    Map<String, Object> record = new LinkedHashMap<>(records.flat(document));
    record.putAll(Values.decode(records.withoutMarks(document)));
    return Optional.of(record);
  }

  @Override
  public void putRaw(EntityKey key, Map<String, Object> record) {
    Names names = Names.nested(Tracking.defaults());
    Map<String, Object> marks = new LinkedHashMap<>();
    BsonDocument document = id(key);
    record.forEach(
        (field, value) -> {
          if (names.owns(field)) {
            marks.put(field, value instanceof Map ? encode(value) : Neutral.of(value));
          } else {
            document.append(field, encode(value));
          }
        });
    document.putAll(new MarkFields(names).nested(marks));
    replace(key, document);
  }

  @Override
  public void putNull(EntityKey key, Set<String> marks) {
    if (marks.isEmpty()) {
      return;
    }
    Names names = Names.nested(Tracking.defaults());
    BsonDocument nulls = new BsonDocument();
    marks.forEach(name -> nulls.append(Filters.dotted(names.path(name)), BsonNull.VALUE));
    documents(key).updateOne(id(key), new BsonDocument("$set", nulls));
  }

  private BsonValue encode(Object value) {
    return Values.encode(value, views.getCodecRegistry());
  }

  private void replace(EntityKey key, BsonDocument document) {
    documents(key).replaceOne(id(key), document, new ReplaceOptions().upsert(true));
  }

  @Override
  public void putJson(String json) {
    BsonDocument document = BsonDocument.parse(json);
    replace(EntityKey.key(Values.decode(document.get("_id", new BsonInt32(0)))), document);
  }

  @Override
  public void putRecordJson(String json) {
    BsonDocument document = BsonDocument.parse(json);
    stored(executions)
        .replaceOne(
            new BsonDocument("_id", document.get("_id")),
            document,
            new ReplaceOptions().upsert(true));
  }

  @Override
  public Optional<String> recordBeside(String json) {
    return beside(executions, json);
  }

  private static MongoCollection<BsonDocument> stored(MongoCollection<?> collection) {
    return collection
        .withDocumentClass(BsonDocument.class)
        .withReadConcern(ReadConcern.MAJORITY)
        .withWriteConcern(WriteConcern.MAJORITY);
  }

  /** What is stored under the key of a document, in its place; empty if it is that document. */
  static Optional<String> beside(MongoCollection<?> collection, String json) {
    BsonDocument wanted = BsonDocument.parse(json);
    BsonDocument found =
        stored(collection).find(new BsonDocument("_id", wanted.get("_id"))).first();
    return wanted.equals(found) ? Optional.empty() : Optional.of(String.valueOf(found));
  }

  @Override
  public String format() {
    return "mongodb";
  }

  @Override
  public Cost measure(Runnable action) {
    return commands.measure(action);
  }

  @Override
  public Faults faults() {
    return new Faults() {
      @Override
      public void loseReplies(int after, int count, Runnable between) {
        proxy.loseReplies(after, count, between);
      }

      @Override
      public void delay(int count, Runnable before, Runnable after) {
        proxy.delay(count, before, after);
      }

      @Override
      public void throttle(int count) {
        proxy.refuse(count, TOO_MANY_REQUESTS);
      }

      @Override
      public void conflict(int count) {
        proxy.refuse(count, WRITE_CONFLICT);
      }

      @Override
      public void heal() {
        proxy.heal();
      }
    };
  }

  @Override
  public void close() {
    client.close();
    proxy.close();
  }
}
