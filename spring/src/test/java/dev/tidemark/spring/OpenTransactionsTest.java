package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.client.MongoDatabase;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.execution.Doubt;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.StoredExecution;
import dev.tidemark.execution.StoredExecutions;
import dev.tidemark.execution.Work;
import dev.tidemark.inbox.Handled;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.mongodb.MongoTransaction;
import dev.tidemark.store.RecordStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.MockProducer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.SessionSynchronization;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.mock.MockProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("In a transaction that Spring holds open")
class OpenTransactionsTest {
  private static final String REFUSED = "must not run inside a transaction of Spring";
  private static final MessageId MESSAGE = MessageId.of("m1");

  private final MongoDatabase database = Servers.mongo().getDatabase(Servers.fresh("open"));
  private final SimpleMongoClientDatabaseFactory factory =
      new SimpleMongoClientDatabaseFactory(Servers.mongo(), database.getName());
  private final MongoTemplate template = new MongoTemplate(factory);
  private final MongoTransactionManager manager = new MongoTransactionManager(factory);
  private final TransactionTemplate transaction = new TransactionTemplate(manager);
  private final List<String> acted = new ArrayList<>();
  private final List<TransactionStatus> left = new ArrayList<>();
  private final RecordStore records = MongoRecordStore.of(database.getCollection("executions"));
  private final Executions executions = Executions.of("open", records);

  private Execution<String> run() {
    return executions.run("k1", null, String.class, steps -> acts("run"));
  }

  private String acts(String what) {
    acted.add(what);
    template.insert(new Document("_id", what), "effects");
    return what;
  }

  private long effects() {
    return database.getCollection("effects").countDocuments();
  }

  @Test
  @DisplayName("an execution does not begin, and runs after a rollback")
  void execution() {
    assertThatIllegalStateException()
        .isThrownBy(() -> transaction.executeWithoutResult(status -> run()))
        .withMessageContaining("an execution " + REFUSED);
    assertThat(acted).isEmpty();
    assertThat(database.getCollection("executions").countDocuments()).isZero();
    assertThat(run()).isInstanceOf(Execution.Executed.class);
    assertThat(effects()).isEqualTo(1);
  }

  private static ProducerFactory<String, String> producers() {
    return new MockProducerFactory<>(
        (isTransactional, id) -> {
          MockProducer<String, String> producer = new MockProducer<>();
          producer.initTransactions();
          return producer;
        },
        "tx");
  }

  @Test
  @DisplayName("for a producer of Kafka, which is not synchronized, no execution begins")
  void ofKafka() {
    ProducerFactory<String, String> producers = producers();
    TransactionTemplate ofKafka = new TransactionTemplate(new KafkaTransactionManager<>(producers));
    assertThatIllegalStateException()
        .isThrownBy(() -> ofKafka.executeWithoutResult(status -> run()))
        .withMessageContaining("an execution " + REFUSED);
    assertThat(acted).isEmpty();
    assertThat(run()).isInstanceOf(Execution.Executed.class);
  }

  @Test
  @DisplayName("no execution begins in the scope that another manager makes without a transaction")
  void besideScopes() {
    ProducerFactory<String, String> producers = producers();
    TransactionTemplate ofKafka = new TransactionTemplate(new KafkaTransactionManager<>(producers));
    MongoTemplate always = new MongoTemplate(factory);
    always.setSessionSynchronization(SessionSynchronization.ALWAYS);
    TransactionTemplate scope = new TransactionTemplate(manager);
    for (int propagation :
        List.of(
            TransactionDefinition.PROPAGATION_SUPPORTS,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED)) {
      scope.setPropagationBehavior(propagation);
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  ofKafka.executeWithoutResult(
                      status -> scope.executeWithoutResult(inner -> run())))
          .withMessageContaining("an execution " + REFUSED);
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  scope.executeWithoutResult(
                      status -> {
                        always.insert(new Document(), "effects");
                        run();
                      }))
          .withMessageContaining("an execution " + REFUSED);
    }
    assertThat(acted).isEmpty();
    assertThat(effects()).isZero();
    assertThat(scope.<Execution<String>>execute(status -> inSession(this::run)))
        .isInstanceOf(Execution.Executed.class);
  }

  /** As a mapper of a database binds its session wherever there is a scope. */
  private <T> T inSession(Supplier<T> work) {
    class Session extends ResourceHolderSupport {}

    Session session = new Session();
    session.setSynchronizedWithTransaction(true);
    TransactionSynchronizationManager.bindResource(this, session);
    try {
      return work.get();
    } finally {
      TransactionSynchronizationManager.unbindResource(this);
    }
  }

  @Test
  @DisplayName("nothing of executions and flows is called that writes, whatever it is")
  void everyCall() {
    StoredExecutions stored = StoredExecutions.of("open", records);
    Flow<String, String> flow =
        executions.flow("f", String.class, String.class, (request, steps) -> acts("flow"));
    Work<String, RuntimeException> vouching =
        steps ->
            steps.step(
                "voucher",
                String.class,
                key -> {
                  throw new IllegalStateException("no voucher");
                });
    assertThatIllegalStateException()
        .isThrownBy(() -> executions.run("k1", null, String.class, vouching));
    assertThat(executions.run("k1", null, String.class, vouching))
        .isInstanceOf(Execution.InDoubt.class);
    StoredExecution waiting = stored.find("k1").orElseThrow();
    Map<String, Executable> calls =
        Map.of(
            "run", this::run,
            "release", () -> executions.release(waiting),
            "release a step", () -> executions.release("k1", "voucher", String.class, "v1"),
            "complete", () -> executions.complete("k1", String.class, "refunded"),
            "forget", () -> executions.forget("k1"),
            "run a flow", () -> flow.run("k2", "request"),
            "resume a flow", () -> flow.resume(10));
    calls.forEach(
        (name, call) ->
            assertThatIllegalStateException()
                .as(name)
                .isThrownBy(() -> inside(call))
                .withMessageContaining(REFUSED));
    assertThat(stored.find("k1")).contains(waiting);
    assertThat(stored.find("k2")).isEmpty();
    assertThat(acted).isEmpty();
    assertThat(executions.release("k1", "voucher", String.class, "v1")).isTrue();
    // what is new among the methods belongs above, unless it writes nothing
    assertThat(methods(Executions.class))
        .containsExactlyInAnyOrder(
            "run",
            "release",
            "complete",
            "forget",
            "flow",
            "proxy",
            "within",
            "scope",
            "maxTextBytes",
            "of",
            "builder");
    assertThat(methods(Flow.class)).containsExactlyInAnyOrder("run", "resume");
  }

  private void inside(Executable call) throws Throwable {
    TransactionStatus open = manager.getTransaction(new DefaultTransactionDefinition());
    try {
      call.execute();
    } finally {
      manager.rollback(open);
    }
  }

  private static Set<String> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  @Test
  @DisplayName("a step does not act, and the work that opens the transaction can be run again")
  void step() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                executions.run(
                    "k1",
                    null,
                    String.class,
                    steps ->
                        transaction.execute(
                            status -> steps.step("voucher", String.class, key -> acts("step")))))
        .withMessageContaining("step 'voucher' " + REFUSED);
    assertThat(acted).isEmpty();
    Execution<String> again =
        executions.run(
            "k1",
            null,
            String.class,
            steps ->
                steps.step(
                    "voucher", String.class, key -> transaction.execute(status -> acts("step"))));
    assertThat(again).isInstanceOf(Execution.Executed.class);
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  @DisplayName("a step that leaves its transaction open is in doubt, and not done")
  void stepLeavesItOpen() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                executions.run(
                    "k1",
                    null,
                    String.class,
                    steps ->
                        steps.step(
                            "voucher",
                            String.class,
                            key -> {
                              begin();
                              return acts("step");
                            })))
        .withMessageContaining("step 'voucher' " + REFUSED);
    rollBack();
    assertThat(effects()).isZero();
    Execution<String> again =
        executions.run(
            "k1",
            null,
            String.class,
            steps ->
                steps.step(
                    "voucher",
                    String.class,
                    Doubt.ask(
                        key ->
                            effects() > 0
                                ? java.util.Optional.of("x")
                                : java.util.Optional.empty()),
                    key -> acts("step")));
    assertThat(again).isInstanceOf(Execution.Executed.class);
    assertThat(effects()).isEqualTo(1);
  }

  private void begin() {
    left.add(manager.getTransaction(new DefaultTransactionDefinition()));
  }

  @AfterEach
  void rollBack() {
    left.forEach(manager::rollback);
    left.clear();
  }

  @Test
  @DisplayName("work that leaves its transaction open waits for a person, and is not done")
  void workLeavesItOpen() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                executions.run(
                    "k1",
                    null,
                    String.class,
                    steps -> {
                      begin();
                      return acts("run");
                    }))
        .withMessageContaining("the end of an execution " + REFUSED);
    rollBack();
    assertThat(run()).isInstanceOf(Execution.InDoubt.class);
    assertThat(executions.release(StoredExecutions.of("open", records).find("k1").orElseThrow()))
        .isTrue();
    assertThat(run()).isInstanceOf(Execution.Executed.class);
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  @DisplayName("work that has lost its key, too, answers that it has, be one left open or not")
  void lostWithItOpen() {
    Execution<String> execution =
        executions.run(
            "k1",
            null,
            String.class,
            steps -> {
              var unused = database.getCollection("executions").deleteMany(new Document());
              begin();
              return acts("run");
            });
    assertThat(execution).isInstanceOf(Execution.LostOwnership.class);
    rollBack();
    assertThat(effects()).isZero();
  }

  @Test
  @DisplayName("a handler of the inbox does not run, and handles the message after a rollback")
  void inbox() {
    MongoInbox inbox = MongoInbox.of(Servers.mongo(), database, "inbox", "billing");
    assertThatIllegalStateException()
        .isThrownBy(
            () -> transaction.execute(status -> inbox.handle(MESSAGE, all -> acts("handler"))))
        .withMessageContaining("a handler of the inbox " + REFUSED);
    assertThat(acted).isEmpty();
    assertThat(inbox.handle(MESSAGE, all -> acts("handler"))).isInstanceOf(Handled.Applied.class);
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  @DisplayName("a handler of the inbox on DynamoDB does not run either")
  void inboxOfDynamoDb() {
    String table = Servers.fresh("inbox");
    DynamoDbInbox.createTable(Servers.dynamoDb(), table);
    DynamoDbInbox inbox = DynamoDbInbox.of(Servers.dynamoDb(), table, "billing");
    assertThatIllegalStateException()
        .isThrownBy(
            () -> transaction.execute(status -> inbox.handle(MESSAGE, all -> acts("handler"))))
        .withMessageContaining("a handler of the inbox " + REFUSED);
    assertThat(acted).isEmpty();
    assertThat(inbox.handle(MESSAGE, all -> acts("handler"))).isInstanceOf(Handled.Applied.class);
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  @DisplayName("a transaction of tracked writes is not made, and is made after a rollback")
  void trackedWrites() {
    MongoEntityStore<Document> rows = MongoEntityStore.of(database.getCollection("rows"));
    MongoTransaction both =
        MongoTransaction.on(Servers.mongo())
            .write(rows, Write.update(MESSAGE, key("ann"), change().add("n", 1).createIfMissing()));
    assertThatIllegalStateException()
        .isThrownBy(() -> transaction.execute(status -> both.commit()))
        .withMessageContaining("a MongoTransaction " + REFUSED);
    assertThat(database.getCollection("rows").countDocuments()).isZero();
    assertThat(both.commit().isCommitted()).isTrue();
  }

  @Test
  @DisplayName("nothing is refused once it is committed, as its listeners are called")
  void listeners() {
    transaction.executeWithoutResult(
        status ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void afterCompletion(int ended) {
                    assertThat(run()).isInstanceOf(Execution.Executed.class);
                  }
                }));
    assertThat(acted).containsExactly("run");
  }
}
