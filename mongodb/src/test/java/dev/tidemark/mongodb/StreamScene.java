package dev.tidemark.mongodb;

import static com.mongodb.client.model.Filters.eq;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import dev.tidemark.EventPolicy;
import dev.tidemark.Events;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracked;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;

/**
 * A collection of events, a view that lists the texts of each entity in the order in which they
 * were applied, and streams between them, which run on the test's own thread.
 */
final class StreamScene implements AutoCloseable {
  static final String NAME = "view";
  private static final String LATER = "!";
  private static final long PATIENCE = Duration.ofSeconds(20).toNanos();

  /** A row of the view: every event once, in order. */
  @Tracked(events = @Events(EventPolicy.Kind.CONTIGUOUS))
  public record Row(@BsonId String id, String texts) {}

  /** An event: the text that is put behind what an entity has. */
  record Entry(String entity, long version, String text) {
    Delivery delivery() {
      return Delivery.of(SourceEvent.of("Entry", entity, version), this);
    }
  }

  private static final class Crash extends VirtualMachineError {
    private static final long serialVersionUID = 1L;
  }

  private final String application = "scene" + UUID.randomUUID();
  final List<String> commands = new ArrayList<>();

  /** The command by which a collection was read last. */
  private final Map<String, BsonDocument> finds = new ConcurrentHashMap<>();

  final MongoClient client;
  final MongoCollection<Document> events;
  final MongoCollection<Document> places;
  final MongoCollection<Document> letters;
  private final MongoEntityStore<Row> rows;
  private final Projector<Row> projector;

  /** Texts whose events fail, and those whose handling ends the process. */
  final Set<String> failing = new HashSet<>();

  final Set<String> crashing = new HashSet<>();

  /** The texts that the handler was given, batch by batch. */
  final List<List<String>> batches = new ArrayList<>();

  private Runnable afterReading = () -> {};
  private Runnable afterOpening = () -> {};
  private boolean isOpening;
  private long ahead;

  StreamScene() {
    this(MongoServers.uri());
  }

  StreamScene(String uri) {
    this(uri, settings -> {});
  }

  /** With a deadline for each operation of the client ({@code timeoutMS}). */
  static StreamScene within(Duration deadline) {
    return new StreamScene(
        MongoServers.uri(),
        settings -> settings.timeout(deadline.toMillis(), TimeUnit.MILLISECONDS));
  }

  private StreamScene(String uri, Consumer<MongoClientSettings.Builder> more) {
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(uri))
            .applicationName(application)
            .applyToServerSettings(s -> s.minHeartbeatFrequency(10, TimeUnit.MILLISECONDS))
            .addCommandListener(new Listener());
    more.accept(settings);
    client = MongoClients.create(settings.build());
    MongoDatabase database = client.getDatabase("tests");
    String id = UUID.randomUUID().toString();
    events = database.getCollection("events" + id);
    places = database.getCollection("places" + id);
    letters = database.getCollection("letters" + id);
    rows =
        MongoEntityStore.builder(database.getCollection("rows" + id, Row.class))
            .assumePlainCollection()
            .build();
    projector =
        Projector.into(rows)
            .on(
                Entry.class,
                entry -> key(entry.entity()),
                () -> new Row("", ""),
                (row, entry) -> {
                  if (failing.contains(entry.text())) {
                    throw new IllegalStateException("secret");
                  }
                  return new Row(entry.entity(), row.texts() + entry.text());
                })
            .build();
  }

  private final class Listener implements CommandListener {
    @Override
    public void commandStarted(CommandStartedEvent event) {
      BsonDocument command = event.getCommand();
      if (event.getCommandName().equals("find")) {
        finds.put(command.getString("find").getValue(), command.clone());
      }
      if (isOfEvents(command, "find")) {
        commands.add("find");
      } else if (isOfEvents(command, "aggregate")) {
        isOpening = command.toString().contains("insert");
        commands.add(command.toString().contains("resumeAfter") ? "resume" : "open");
      }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
      if (event.getCommandName().equals("aggregate") && isOpening) {
        isOpening = false;
        Runnable action = afterOpening;
        afterOpening = () -> {};
        action.run();
      }
      if (event.getCommandName().equals("find")
          && event.getResponse().getDocument("cursor").getString("ns").getValue().contains(".ev")) {
        Runnable action = afterReading;
        afterReading = () -> {};
        action.run();
      }
    }
  }

  private boolean isOfEvents(BsonDocument command, String name) {
    return command.isString(name)
        && command.getString(name).getValue().equals(events.getNamespace().getCollectionName());
  }

  /** Has something happen once, as soon as the stream of inserts was opened. */
  void afterOpening(Runnable action) {
    afterOpening = action;
  }

  /** Has something happen once, as soon as the collection of events was read. */
  void afterReading(Runnable action) {
    afterReading = action;
  }

  /** How often that was asked of the server: find, open or resume. */
  long count(String command) {
    return commands.stream().filter(command::equals).count();
  }

  /** Whether the cursor that read a collection last had one deadline for all of its batches. */
  boolean isReadAgainstTime(MongoCollection<?> collection) {
    String name = collection.getNamespace().getCollectionName();
    return Objects.requireNonNull(finds.get(name)).containsKey("maxTimeMS");
  }

  IntakeBuilder<StreamedChange> intake() {
    return ChangeStreamIntake.builder(StreamScene::delivery, this::handle)
        .deadLetters(MongoDeadLetters.of(letters, NAME))
        .listener(taken -> {});
  }

  static Delivery delivery(StreamedChange change) {
    BsonDocument event = change.document();
    return new Entry(
            event.getString("entity").getValue(),
            event.getNumber("version").longValue(),
            event.getString("text").getValue())
        .delivery();
  }

  BatchOutcome<?> handle(List<Delivery> deliveries) {
    List<String> texts = deliveries.stream().map(each -> ((Entry) each.event()).text()).toList();
    batches.add(texts);
    BatchOutcome<?> outcome = projector.handle(deliveries);
    if (texts.stream().anyMatch(crashing::contains)) {
      throw new Crash();
    }
    return outcome;
  }

  /** A stream that keeps its place with every batch, and tries again soon. */
  ChangeStreamIntakeBuilder stream() {
    return stream(intake());
  }

  ChangeStreamIntakeBuilder stream(IntakeBuilder<StreamedChange> intake) {
    return ChangeStreamIntake.stream(client, events, intake.build(), places, NAME)
        .savingEvery(Duration.ofMillis(1))
        .pauses(Duration.ofMillis(20), Duration.ofMillis(100));
  }

  /** Runs a stream until something is so. */
  ChangeStreamIntake run(ChangeStreamIntakeBuilder settings, BooleanSupplier until) {
    ChangeStreamIntake[] stream = new ChangeStreamIntake[1];
    long end = System.nanoTime() + PATIENCE;
    boolean[] met = {false};
    boolean[] asking = {false};
    settings.time(
        Clock.systemUTC(),
        () -> {
          long now = System.nanoTime();
          if (stream[0] != null && !asking[0]) {
            asking[0] = true;
            met[0] |= until.getAsBoolean();
            asking[0] = false;
            if (met[0] || now > end) {
              stream[0].stop();
            }
          }
          return now + ahead;
        });
    ChangeStreamIntake built = settings.build();
    stream[0] = built;
    built.run();
    assertTrue(met[0], () -> "not so: " + batches + ", held " + built.held());
    return built;
  }

  ChangeStreamIntake run(BooleanSupplier until) {
    return run(stream(), until);
  }

  /**
   * Runs a stream until it hands over what is inserted while it runs. By then it has handed over
   * what was there before, or lost it.
   *
   * @param from when something is inserted first
   */
  ChangeStreamIntake catchUp(BooleanSupplier from) {
    return run(
        () -> {
          if (from.getAsBoolean()) {
            insert("later" + UUID.randomUUID(), LATER);
          }
          return handed().contains(LATER);
        });
  }

  /** Runs a stream that is killed: whatever it has in hand, nothing more is written. */
  void runToCrash() {
    runToCrash(stream());
  }

  void runToCrash(ChangeStreamIntakeBuilder settings) {
    ChangeStreamIntake stream = settings.build();
    assertThrows(Crash.class, stream::run);
    assertInstanceOf(Crash.class, stream.fault().orElseThrow().getCause());
  }

  /** Lets time pass for streams. */
  void pass(Duration time) {
    ahead += time.toNanos();
  }

  void insert(String id, String entity, long version, String text) {
    Document event =
        new Document("_id", id)
            .append("entity", entity)
            .append("version", version)
            .append("text", text);
    assertTrue(events.insertOne(event).wasAcknowledged());
  }

  /** Inserts versions from 1 on, each with one letter of a text. */
  void insert(String entity, String texts) {
    for (int i = 0; i < texts.length(); i++) {
      insert(entity + i, entity, i + 1, texts.substring(i, i + 1));
    }
  }

  /** The texts of an entity, in the order in which they were applied. */
  String texts(String entity) {
    return rows.find(key(entity)).map(Row::texts).orElse("");
  }

  boolean has(String entity, String texts) {
    return texts(entity).equals(texts);
  }

  /** What was handed over in all. */
  List<String> handed() {
    return batches.stream().flatMap(List::stream).toList();
  }

  /** The place that is kept. */
  @Nullable Document place() {
    Document stored = places.find(eq("_id", NAME)).first();
    return stored == null ? null : stored.get("token", Document.class);
  }

  /** The same, where there is one. */
  Document kept() {
    return Objects.requireNonNull(place());
  }

  /** The first event behind the place that is kept, of those that are there. */
  String firstBehindPlace() {
    BsonDocument place = BsonDocument.parse(kept().toJson());
    try (var changes = events.watch().resumeAfter(place).cursor()) {
      BsonDocument key = Objects.requireNonNull(changes.next().getDocumentKey());
      return key.getString("_id").getValue();
    }
  }

  /** Puts another place into the record. */
  void place(UnaryOperator<Document> change) {
    Document stored = Objects.requireNonNull(places.find(eq("_id", NAME)).first());
    stored.put("token", change.apply(stored.get("token", Document.class)));
    assertTrue(places.replaceOne(eq("_id", NAME), stored).wasAcknowledged());
  }

  void forgetPlace() {
    assertTrue(places.deleteOne(eq("_id", NAME)).getDeletedCount() == 1);
  }

  /** Lets the server fail the scene's next commands of a name to a collection. */
  void fail(MongoCollection<?> of, String command, String how, int times) {
    String point =
        "{configureFailPoint: 'failCommand', mode: {times: %d}, data: {failCommands: ['%s'], %s,"
            + " namespace: '%s', appName: '%s'}}";
    String name = of.getNamespace().getFullName();
    var unused =
        client
            .getDatabase("admin")
            .runCommand(Document.parse(point.formatted(times, command, how, name, application)));
  }

  @Override
  public void close() {
    client.close();
  }
}
