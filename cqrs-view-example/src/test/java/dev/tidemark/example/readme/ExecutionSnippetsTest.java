package dev.tidemark.example.readme;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.Doubt;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.StoredExecution;
import dev.tidemark.execution.StoredExecutions;
import dev.tidemark.execution.StoredFailure;
import dev.tidemark.micrometer.TidemarkMetrics;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoRecordStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The snippets about idempotency keys")
class ExecutionSnippetsTest {
  @SuppressWarnings("NullAway.Init")
  private static MongoClient client;

  private final String key = UUID.randomUUID().toString();
  private final Payments payments = new Payments();

  /** What the shop asks for. */
  record Checkout(String cart, int cents) {}

  /** What it answers. */
  record Receipt(String charge, String parcel) {}

  /** The card was declined. */
  static final class CardDeclined extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String code;

    CardDeclined(String code) {
      super(code);
      this.code = code;
    }

    String code() {
      return code;
    }
  }

  /** A payment provider that has idempotency keys of its own. */
  private static final class Payments {
    private final Map<String, String> charges = new HashMap<>();

    String charge(String idempotencyKey, int cents) {
      if (cents < 0) {
        throw new CardDeclined("declined");
      }
      return charges.computeIfAbsent(idempotencyKey, any -> "charge-" + (charges.size() + 1));
    }

    Optional<String> find(String idempotencyKey) {
      return Optional.ofNullable(charges.get(idempotencyKey));
    }
  }

  @BeforeAll
  static void start() {
    client = MongoClients.create(LocalStore.mongo().uri());
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  private static Executions checkouts() {
    MongoCollection<Document> collection = client.getDatabase("shop").getCollection("executions");
    // snippet: execution-records
    MongoRecordStore.createIndexes(collection); // once: the time to live, and the index
    Executions checkouts = Executions.of("checkout", MongoRecordStore.of(collection));
    // end
    return checkouts;
  }

  private static String parcel(String cart) {
    return "parcel-" + cart;
  }

  @Test
  @DisplayName("one effect, and its answer once more")
  void once() {
    Executions checkouts = checkouts();
    Checkout request = new Checkout("c1", 2500);
    // snippet: execution-run
    Execution<Receipt> execution =
        checkouts.run(
            key, request, Receipt.class, steps -> new Receipt(pay(request), parcel("c1")));

    if (execution.isDone()) { // Executed now, or Replayed
      respond(200, execution.result().orElseThrow());
    } else if (execution instanceof Execution.InProgress<Receipt> busy) {
      respond(409, busy.retryAfter());
    } else if (execution instanceof Execution.KeyReused) {
      respond(422, "this key came with another request");
    }
    // end
    assertInstanceOf(Execution.Executed.class, execution);
    Execution<Receipt> again =
        checkouts.run(key, request, Receipt.class, steps -> new Receipt("twice", "twice"));
    assertEquals(Optional.of(new Receipt("charge-1", "parcel-c1")), again.result());
  }

  private String pay(Checkout request) {
    return payments.charge(key, request.cents());
  }

  private static void respond(int status, Object body) {
    assertTrue(status >= 200 && !body.toString().isEmpty());
  }

  @Test
  @DisplayName("several effects, each once")
  void steps() {
    Executions checkouts = checkouts();
    Checkout request = new Checkout("c2", 2500);
    // snippet: execution-steps
    Execution<Receipt> execution =
        checkouts.run(
            key,
            request,
            Receipt.class,
            steps -> {
              String charge =
                  steps.step(
                      "charge",
                      String.class,
                      Doubt.retry(), // the provider knows this key, and charges once
                      downstreamKey -> payments.charge(downstreamKey, request.cents()));
              String parcel = steps.step("ship", String.class, any -> parcel(request.cart()));
              return new Receipt(charge, parcel);
            });
    // end
    assertEquals(Optional.of(new Receipt("charge-1", "parcel-c2")), execution.result());
  }

  @Test
  @DisplayName("a step that may have acted")
  void doubt() {
    boolean[] fails = {true};
    for (int attempt = 0; attempt < 2; attempt++) {
      Executions checkouts = checkouts();
      try {
        Execution<String> execution =
            checkouts.run(
                key,
                null,
                String.class,
                steps -> {
                  // snippet: execution-doubt
                  String charge =
                      steps.step(
                          "charge",
                          String.class,
                          Doubt.ask(payments::find), // or Doubt.park(), which is the default
                          downstreamKey -> payments.charge(downstreamKey, 2500));
                  // end
                  if (fails[0]) {
                    fails[0] = false;
                    throw new IllegalStateException("later");
                  }
                  return charge;
                });
        assertEquals(Optional.of("charge-1"), execution.result());
      } catch (IllegalStateException e) {
        assertEquals("later", e.getMessage());
      }
    }
    assertEquals(1, payments.charges.size());
  }

  @Test
  @DisplayName("a function that is ended from outside")
  void within() {
    Executions checkouts = checkouts();
    Checkout request = new Checkout("c1", 2500);
    int[] remaining = {0, 3000};
    for (int left : remaining) {
      Function context = () -> left;
      // snippet: execution-within
      Execution<Receipt> execution =
          checkouts
              .within(context::getRemainingTimeInMillis)
              .run(key, request, Receipt.class, steps -> new Receipt(pay(request), "none"));
      // end
      Class<?> wanted = left == 0 ? Execution.NotStarted.class : Execution.Executed.class;
      assertInstanceOf(wanted, execution);
    }
  }

  /** As much of the context of AWS Lambda as it takes. */
  private interface Function {
    int getRemainingTimeInMillis();
  }

  @Test
  @DisplayName("what is told of executions")
  void told() {
    MongoRecordStore records =
        MongoRecordStore.of(client.getDatabase("shop").getCollection("executions"));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    // snippet: execution-listener
    Executions checkouts =
        Executions.builder("checkout", records).listener(new TidemarkMetrics(registry)).build();
    // end
    Execution<Integer> done = checkouts.run(key, null, Integer.class, steps -> 1);
    assertTrue(done.isDone());
    assertEquals(2, registry.get("tidemark.executions").timers().size());
  }

  @Test
  @DisplayName("what waits for a person")
  void operator() {
    Executions checkouts = checkouts();
    MongoRecordStore records =
        MongoRecordStore.of(client.getDatabase("shop").getCollection("executions"));
    for (int i = 0; i < 2; i++) {
      try {
        Execution<String> unused =
            checkouts.run(
                key,
                null,
                String.class,
                steps -> steps.step("charge", String.class, any -> payments.charge(key, -1)));
      } catch (CardDeclined e) {
        // leaves the step in doubt
      }
    }
    List<String> shown = new ArrayList<>();
    // snippet: execution-operator
    StoredExecutions stored = StoredExecutions.of("checkout", records);
    for (StoredExecution waiting : stored.parked(100)) {
      shown.add(waiting.key() + " is in doubt of " + waiting.inDoubt());
    }

    StoredExecution seen = stored.find(key).orElseThrow();
    boolean goesOn = checkouts.release(seen); // or forget(key), which begins anew
    // end
    assertTrue(goesOn);
    assertTrue(shown.contains(key + " is in doubt of [charge]"), shown::toString);
  }

  @Test
  @DisplayName("failures that are final, and how long things are kept")
  void settings() {
    MongoRecordStore records =
        MongoRecordStore.of(client.getDatabase("shop").getCollection("executions"));
    // snippet: execution-settings
    Executions checkouts =
        Executions.builder("checkout", records)
            .lease(Duration.ofSeconds(30))
            .waitingUpTo(Duration.ofSeconds(2))
            .storing(CardDeclined.class, CardDeclined::code)
            .keptFor(Duration.ofDays(7))
            .build();
    // end
    for (boolean replayed : new boolean[] {false, true}) {
      Execution<String> declined =
          checkouts.run(key, null, String.class, steps -> payments.charge(key, -1));
      assertEquals(new Execution.Failed<>(new StoredFailure("declined"), replayed), declined);
    }
  }

  @Test
  @DisplayName("a flow that another process finishes")
  void flow() {
    Executions checkouts = checkouts();
    // snippet: execution-flow
    Flow<Checkout, Receipt> checkout =
        checkouts.flow(
            "checkout-v1",
            Checkout.class,
            Receipt.class,
            (request, steps) -> {
              String charge =
                  steps.step(
                      "charge",
                      String.class,
                      Doubt.retry(),
                      downstreamKey -> payments.charge(downstreamKey, request.cents()));
              return new Receipt(charge, parcel(request.cart()));
            });

    Execution<Receipt> execution = checkout.run(key, new Checkout("c3", 2500));

    Flow.Resumed resumed = checkout.resume(100); // now and then, in every process
    // end
    assertTrue(execution.isDone());
    assertEquals(0, resumed.ended());
    assertThrows(IllegalArgumentException.class, () -> checkout.run("", new Checkout("c3", 1)));
  }

  @Test
  @DisplayName("work that ends in a tracked write")
  void completion() {
    MongoRecordStore records =
        MongoRecordStore.of(client.getDatabase("shop").getCollection("executions"));
    Executions payments = Executions.of("payments", records);
    EntityStore<Document> orders =
        MongoEntityStore.builder(client.getDatabase("shop").getCollection("orders"))
            .tracking(kept())
            .build();
    EntityKey order = EntityKey.key(UUID.randomUUID().toString());
    MessageId placed = MessageId.of("placed", key);
    assertTrue(orders.update(placed, order, change().set("total", 25).createIfMissing()).isDone());
    for (boolean replayed : new boolean[] {false, true}) {
      Checkout request = new Checkout("c4", 2500);
      // snippet: execution-completion
      Completion<EntityUpdate, String> paid =
          Completion.in(orders, order, entity -> entity.getString("charge"));

      Execution<String> execution =
          payments.run(
              key,
              request,
              String.class,
              paid,
              steps -> {
                String charge =
                    steps.step("charge", String.class, downstreamKey -> charge(downstreamKey));
                return change().set("state", "PAID").set("charge", charge);
              });
      // end
      assertEquals(replayed, execution instanceof Execution.Replayed);
      assertEquals(Optional.of("charge-1"), execution.result());
    }
    assertEquals("PAID", orders.find(order).orElseThrow().getString("state"));
  }

  private String charge(String downstreamKey) {
    return payments.charge(downstreamKey, 2500);
  }

  private static Tracking kept() {
    return Tracking.defaults().messageIds(IdPolicy.keptFor(Duration.ofDays(30)));
  }
}
