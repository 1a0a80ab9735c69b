package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.shop.Spending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A @KafkaListener that hands its records to an intake")
class KafkaIntakeListenerTest {
  private static final EmbeddedKafkaKraftBroker BROKER = new EmbeddedKafkaKraftBroker(1, 2);

  private final String topic = Servers.fresh("payments");
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  KafkaAutoConfiguration.class,
                  TidemarkKafkaAutoConfiguration.class,
                  TidemarkStoresAutoConfiguration.class))
          .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
          .withPropertyValues(
              "tidemark.mongodb.database=kafka",
              "tidemark.tables.spending=" + topic,
              "tidemark.tables.order-view=orders",
              "tidemark.stores.order-view=mongodb",
              "payments=" + topic,
              "spring.kafka.consumer.group-id=" + topic,
              "spring.kafka.bootstrap-servers=" + BROKER.getBrokersAsString());

  @BeforeAll
  static void start() {
    BROKER.brokerProperty("transaction.state.log.replication.factor", "1");
    BROKER.brokerProperty("transaction.state.log.min.isr", "1");
    BROKER.afterPropertiesSet();
  }

  @AfterAll
  static void stop() {
    BROKER.destroy();
  }

  record Paid(String id, String customer, int amount) {}

  /** What the handler does not get done for now. */
  static final class Trouble {
    final Set<String> customers = ConcurrentHashMap.newKeySet();
    final Set<String> interrupts = ConcurrentHashMap.newKeySet();

    /** Whom one customer's event ends the trouble of. */
    final Map<String, String> mends = new ConcurrentHashMap<>();

    /** Whether the thread was interrupted when a customer's event came who had interrupted it. */
    volatile boolean isInterrupted;

    final CountDownLatch met = new CountDownLatch(1);
    volatile CountDownLatch goOn = new CountDownLatch(0);

    String met(String customer) {
      isInterrupted |= customer.equals("bob") && Thread.currentThread().isInterrupted();
      met.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (customers.contains(customer)) {
        throw new IllegalStateException("trouble");
      }
      if (interrupts.remove(customer)) {
        throw Trouble.<RuntimeException>undeclared(new InterruptedException("a task's"));
      }
      customers.remove(mends.getOrDefault(customer, ""));
      return customer;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E undeclared(Throwable thrown) throws E {
      throw (E) thrown;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = Spending.class)
  static class Shop {
    @Bean
    Trouble trouble() {
      return new Trouble();
    }

    @Bean
    Projector<Spending> spendings(EntityStore<Spending> store, Trouble trouble) {
      return Projector.into(store)
          .updating(
              Paid.class,
              paid -> key(trouble.met(paid.customer())),
              paid ->
                  change()
                      .add("total", paid.amount())
                      .append("amounts", paid.amount())
                      .createIfMissing())
          .build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class PaymentsIntake {
    @Bean
    KafkaIntakeListener<String, String> payments(
        Projector<Spending> spendings, KafkaTemplate<?, ?> template) {
      JsonMapper json = new JsonMapper();
      return KafkaIntakeListener.of(
          KafkaIntakeListener.<String, String>builder(
                  record -> {
                    Paid paid = json.readValue(record.value(), Paid.class);
                    return Delivery.of(MessageId.of(paid.id()), paid);
                  },
                  spendings::handle)
              .deadLetters(
                  KafkaIntakeListener.deadLetters(new DeadLetterPublishingRecoverer(template)))
              .build());
    }
  }

  record Payments(KafkaIntakeListener<String, String> payments) {
    @KafkaListener(topics = "${payments}", containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      payments.take(records);
    }
  }

  record Careless(KafkaIntakeListener<String, String> payments) {
    @KafkaListener(
        id = "careless",
        topics = "${payments}",
        batch = "true",
        properties = "auto.offset.reset=earliest")
    void take(List<ConsumerRecord<String, String>> records) {
      payments.take(records);
    }
  }

  /** Hands its records to another thread, and returns. */
  static final class OffThread {
    final CountDownLatch calls = new CountDownLatch(3);
    private final KafkaIntakeListener<String, String> payments;

    OffThread(KafkaIntakeListener<String, String> payments) {
      this.payments = payments;
    }

    @KafkaListener(topics = "${payments}", containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      calls.countDown();
      var unused = CompletableFuture.runAsync(() -> payments.take(records));
    }
  }

  record Selective(KafkaIntakeListener<String, String> payments) {
    @KafkaListener(topics = "${payments}", containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      payments.take(records.stream().filter(record -> record.key().equals("ann")).toList());
    }
  }

  @Test
  @DisplayName("applies each once and in order, and commits all of them")
  void duplicates() {
    run(
        Payments.class,
        context -> {
          for (int i = 1; i <= 20; i++) {
            send(context, 0, new Paid("m" + i, "ann", i));
            send(context, 0, new Paid("m" + i, "ann", i));
          }
          awaitCommit(0, 40);
          Spending ann = spending(context, "ann");
          assertThat(ann.getTotal()).isEqualTo(210);
          assertThat(ann.getAmounts()).isSorted().hasSize(20);
        });
  }

  @Test
  @DisplayName("puts poison into the dead letters, and goes on behind it")
  void poison() {
    run(
        Payments.class,
        context -> {
          send(context, 0, new Paid("m1", "ann", 1));
          template(context).send(topic, 0, "key", "{no JSON").join();
          send(context, 0, new Paid("m2", "ann", 2));
          awaitCommit(0, 3);
          assertThat(spending(context, "ann").getAmounts()).containsExactly(1, 2);
          assertThat(deadLetters()).containsExactly("{no JSON");
        });
  }

  @Test
  @DisplayName("holds back its partition and no other while a handler fails, and loses nothing")
  void trouble() {
    run(
        Payments.class,
        context -> {
          Set<String> troubled = context.getBean(Trouble.class).customers;
          troubled.add("bob");
          send(context, 0, new Paid("m1", "ann", 1));
          send(context, 0, new Paid("m2", "bob", 2));
          send(context, 0, new Paid("m3", "ann", 3));
          awaitCommit(0, 1);
          for (int i = 1; i <= 5; i++) {
            send(context, 1, new Paid("n" + i, "eve", i));
            awaitCommit(1, i); // though the other partition waits
          }
          assertThat(committed()).containsEntry(new TopicPartition(topic, 0), 1L);
          troubled.clear();
          awaitCommit(0, 3);
          assertThat(spending(context, "ann").getAmounts()).containsExactly(1, 3);
          assertThat(spending(context, "bob").getAmounts()).containsExactly(2);
          assertThat(spending(context, "eve").getAmounts()).containsExactly(1, 2, 3, 4, 5);
          assertThat(deadLetters()).isEmpty();
        });
  }

  @Test
  @DisplayName("goes on where an InterruptedException is thrown that nobody has caused")
  void interrupted() {
    run(
        Payments.class,
        context -> {
          Trouble trouble = context.getBean(Trouble.class);
          trouble.interrupts.add("bob");
          send(context, 0, new Paid("m1", "ann", 1));
          send(context, 0, new Paid("m2", "bob", 2));
          send(context, 1, new Paid("m3", "eve", 3));
          awaitCommit(0, 2);
          awaitCommit(1, 1);
          assertThat(trouble.isInterrupted).isFalse();
          assertThat(spending(context, "bob").getAmounts()).containsExactly(2);
          assertThat(deadLetters()).isEmpty();
        });
  }

  @Test
  @DisplayName("commits nothing that is not done where Spring Boot makes a transaction manager")
  void transactions() {
    run(
        Payments.class,
        context -> {
          Trouble trouble = context.getBean(Trouble.class);
          trouble.customers.add("bob");
          sendInTransaction(context, 0, new Paid("m1", "bob", 1));
          assertThat(trouble.met.await(1, TimeUnit.MINUTES)).isTrue();
          sendInTransaction(context, 1, new Paid("n1", "eve", 1));
          awaitCommit(1, 1); // by a later poll than the one with m1
          assertThat(committed().getOrDefault(new TopicPartition(topic, 0), 0L)).isZero();
          @SuppressWarnings("unchecked")
          ProducerFactory<String, String> producers = context.getBean(ProducerFactory.class);
          try (var producer = producers.createNonTransactionalProducer()) {
            var record = new ConsumerRecord<>(topic, 0, 0, "key", "{no JSON");
            KafkaDeadLetters.of(producer, topic + "-dlt").keep(record, new Reason("", true, 1));
          }
        },
        "spring.kafka.producer.transaction-id-prefix=" + topic);
  }

  @Test
  @DisplayName("commits what is done of the batch in which the application ends, and no more")
  void end() {
    run(
        Payments.class,
        context -> {
          Trouble trouble = context.getBean(Trouble.class);
          trouble.customers.add("bob");
          trouble.goOn = new CountDownLatch(1);
          var registry = context.getBean(KafkaListenerEndpointRegistry.class);
          registry.getListenerContainers().forEach(MessageListenerContainer::pause);
          send(context, 0, new Paid("m1", "bob", 1));
          send(context, 1, new Paid("m2", "ann", 2));
          registry.getListenerContainers().forEach(MessageListenerContainer::resume);
          assertThat(trouble.met.await(1, TimeUnit.MINUTES)).isTrue();
          var closing =
              CompletableFuture.runAsync(((ConfigurableApplicationContext) context)::close);
          await().atMost(Duration.ofMinutes(1)).until(() -> !registry.isRunning());
          trouble.goOn.countDown();
          closing.orTimeout(1, TimeUnit.MINUTES).join();
          assertThat(committed())
              .containsEntry(new TopicPartition(topic, 1), 1L)
              .doesNotContainKey(new TopicPartition(topic, 0));
        });
  }

  @Test
  @DisplayName("stops a container of another factory, which would drop what is not done")
  void forgotten() {
    run(
        Careless.class,
        context -> {
          send(context, 0, new Paid("m1", "ann", 1));
          var container =
              context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("careless");
          await()
              .atMost(Duration.ofMinutes(1))
              .until(() -> container != null && !container.isRunning());
          assertThat(committed()).doesNotContainKey(new TopicPartition(topic, 0));
        });
  }

  @Test
  @DisplayName("commits nothing where the listener has left its records to another thread")
  void otherThread() {
    run(
        OffThread.class,
        context -> {
          send(context, 0, new Paid("m1", "ann", 1));
          assertThat(context.getBean(OffThread.class).calls.await(1, TimeUnit.MINUTES)).isTrue();
          assertThat(committed()).doesNotContainKey(new TopicPartition(topic, 0));
        });
  }

  @Test
  @DisplayName("commits what the listener has left out of what it hands over")
  void leftOut() {
    run(
        Selective.class,
        context -> {
          send(context, 1, new Paid("n1", "bob", 1)); // its poll has nothing for the intake
          awaitCommit(1, 1);
          send(context, 0, new Paid("m1", "bob", 1));
          send(context, 0, new Paid("m2", "ann", 2));
          awaitCommit(0, 2);
          assertThat(spending(context, "ann").getAmounts()).containsExactly(2);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ack-mode=manual",
        "ack-mode=record type=single",
        "ack-mode=count_time ack-count=100 ack-time=1h",
        "concurrency=2 client-id=shop poll-timeout=1h idle-between-polls=10ms no-poll-threshold=1"
            + " idle-event-interval=100ms idle-partition-event-interval=100ms monitor-interval=1s"
            + " log-container-config=true missing-topics-fatal=true immediate-stop=true"
            + " observation-enabled=true auth-exception-retry-interval=1s"
            + " change-consumer-thread-name=true"
      })
  @DisplayName("commits what is done, and no more, with spring.kafka.listener settings of others")
  void settingsOfOthers(String settings) {
    run(
        Payments.class,
        context -> {
          Set<String> troubled = context.getBean(Trouble.class).customers;
          troubled.add("bob");
          send(context, 0, new Paid("m1", "ann", 1));
          send(context, 0, new Paid("m2", "bob", 2));
          send(context, 0, new Paid("m3", "ann", 3));
          awaitCommit(0, 1);
          troubled.clear();
          awaitCommit(0, 3);
          assertThat(spending(context, "bob").getAmounts()).containsExactly(2);
        },
        Stream.of(settings.split(" ", -1))
            .map("spring.kafka.listener."::concat)
            .toArray(String[]::new));
  }

  @Test
  @DisplayName("waits for no acknowledgment where other listeners acknowledge in any order")
  void asyncAcks() {
    settingsOfOthers("async-acks=true");
  }

  @Test
  @DisplayName("is not started with settings of the consumer that lose records")
  void unsafe() {
    ApplicationContextRunner shop =
        runner.withUserConfiguration(Shop.class, PaymentsIntake.class, Payments.class);
    shop.withPropertyValues("spring.kafka.consumer.auto-offset-reset=latest")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("auto-offset-reset is latest"));
    shop.withPropertyValues("spring.kafka.consumer.enable-auto-commit=true")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("enable-auto-commit is true"));
  }

  @FunctionalInterface
  interface Check {
    void check(ApplicationContext context) throws Exception;
  }

  private void run(Class<?> listener, Check check, String... properties) {
    BROKER.addTopics(new NewTopic(topic, 2, (short) 1), new NewTopic(topic + "-dlt", 2, (short) 1));
    runner
        .withPropertyValues(properties)
        .withUserConfiguration(Shop.class, PaymentsIntake.class, listener)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              check.check(context);
            });
  }

  @SuppressWarnings("unchecked")
  private static KafkaTemplate<Object, Object> template(ApplicationContext context) {
    return context.getBean(KafkaTemplate.class);
  }

  private void send(ApplicationContext context, int partition, Paid paid) {
    String json = new JsonMapper().writeValueAsString(paid);
    template(context).send(topic, partition, paid.customer(), json).join();
  }

  private void sendInTransaction(ApplicationContext context, int partition, Paid paid) {
    String json = new JsonMapper().writeValueAsString(paid);
    var unused =
        template(context).executeInTransaction(in -> in.send(topic, partition, "key", json).join());
  }

  @SuppressWarnings("unchecked")
  private static Spending spending(ApplicationContext context, String customer) {
    EntityStore<Spending> store =
        (EntityStore<Spending>) context.getBean("spendingStore", EntityStore.class);
    return store.find(key(customer)).orElseThrow();
  }

  /** Waits until so much is committed; more is never taken back, and fails at once. */
  private void awaitCommit(int partition, long offset) {
    TopicPartition of = new TopicPartition(topic, partition);
    long reached =
        await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> committed().getOrDefault(of, 0L), committed -> committed >= offset);
    assertThat(reached).isEqualTo(offset);
  }

  private Map<TopicPartition, Long> committed() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.getBrokersAsString()))) {
      Map<TopicPartition, Long> committed = new ConcurrentHashMap<>();
      Map<TopicPartition, OffsetAndMetadata> found =
          admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get();
      found.forEach((partition, at) -> committed.put(partition, at.offset()));
      return committed;
    }
  }

  private List<String> deadLetters() {
    TopicPartition letters = new TopicPartition(topic + "-dlt", 0);
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of("bootstrap.servers", BROKER.getBrokersAsString()),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(letters));
      consumer.seekToBeginning(List.of(letters));
      long end = consumer.endOffsets(List.of(letters)).getOrDefault(letters, 0L);
      List<String> found = new ArrayList<>();
      while (consumer.position(letters) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(letter -> found.add(letter.value()));
      }
      return found;
    }
  }
}
