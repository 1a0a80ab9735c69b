package dev.tidemark.spring;

import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.KafkaIntakeListenerTest.Paid;
import dev.tidemark.spring.KafkaIntakeListenerTest.Trouble;
import dev.tidemark.spring.shop.Spending;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A @KafkaListener that hands the records of a poll to two intakes")
class KafkaSeveralIntakesTest {
  private static final EmbeddedKafkaKraftBroker BROKER = new EmbeddedKafkaKraftBroker(1, 2);

  private final String topic = Servers.fresh("several");
  private final TopicPartition left = new TopicPartition(topic, 0);
  private final TopicPartition right = new TopicPartition(topic, 1);

  @BeforeAll
  static void start() {
    BROKER.afterPropertiesSet();
  }

  @AfterAll
  static void stop() {
    BROKER.destroy();
  }

  @Configuration(proxyBeanMethods = false)
  static class Intakes {
    @Bean
    KafkaIntakeListener<String, String> one(Projector<Spending> spendings) {
      return intake("one", spendings);
    }

    @Bean
    KafkaIntakeListener<String, String> two(Projector<Spending> spendings) {
      return intake("two", spendings);
    }

    /** Its rows have the name of the intake in front. */
    private static KafkaIntakeListener<String, String> intake(
        String name, Projector<Spending> spendings) {
      JsonMapper json = new JsonMapper();
      return KafkaIntakeListener.of(
          KafkaIntakeListener.<String, String>builder(
                  record -> {
                    Paid paid = json.readValue(record.value(), Paid.class);
                    Paid own = new Paid(paid.id(), name + paid.customer(), paid.amount());
                    return Delivery.of(MessageId.of(name, paid.id()), own);
                  },
                  spendings::handle)
              .build());
    }
  }

  record EachItsOwn(
      KafkaIntakeListener<String, String> one, KafkaIntakeListener<String, String> two) {
    @KafkaListener(topics = "${payments}", containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      one.take(only(records, record -> record.partition() == 0));
      two.take(only(records, record -> record.partition() == 1));
    }
  }

  record BothTheSame(
      KafkaIntakeListener<String, String> one, KafkaIntakeListener<String, String> two) {
    @KafkaListener(topics = "${payments}", containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      one.take(records);
      two.take(records);
    }
  }

  record OneByOne(KafkaIntakeListener<String, String> one) {
    @KafkaListener(topics = "${payments}", containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      for (ConsumerRecord<String, String> record : records) {
        try {
          one.take(List.of(record));
        } catch (RuntimeException e) {
          System.getLogger("shop").log(System.Logger.Level.WARNING, "not taken", e);
        }
      }
    }
  }

  /** As one that sorts by type, whose second type is in front of the first. */
  record Backwards(KafkaIntakeListener<String, String> one) {
    @KafkaListener(topics = "${payments}", containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      one.take(only(records, record -> record.offset() != 0));
      one.take(only(records, record -> record.offset() == 0));
    }
  }

  private static List<ConsumerRecord<String, String>> only(
      List<ConsumerRecord<String, String>> records,
      Predicate<ConsumerRecord<String, String>> which) {
    return records.stream().filter(which).toList();
  }

  @Test
  @DisplayName("commits what the second was given, whatever the first has not done")
  void separate() {
    run(
        EachItsOwn.class,
        context -> {
          together(context, List.of(paid(1, "bob")), List.of(paid(2, "ann"), paid(3, "ann")));
          awaitCommit(right, 2);
          assertThat(amounts(context, "twoann")).containsExactly(2, 3);
          assertThat(committed()).doesNotContainKey(left);
        },
        "onebob");
  }

  @Test
  @DisplayName("commits what both have done, though the first one is not done further on")
  void same() {
    run(
        BothTheSame.class,
        context -> {
          together(context, List.of(paid(1, "ann"), paid(2, "bob"), paid(3, "ann")), List.of());
          awaitCommit(left, 1);
          assertThat(amounts(context, "oneann")).startsWith(1);
          assertThat(amounts(context, "twoann")).startsWith(1);
          context.getBean(Trouble.class).customers.clear();
          awaitCommit(left, 3);
          assertThat(amounts(context, "twobob")).containsExactly(2);
        },
        "onebob");
  }

  @Test
  @DisplayName("commits up to the first record that one of them has not done, whichever it is")
  void bothUndone() {
    run(
        BothTheSame.class,
        context -> {
          together(context, List.of(paid(1, "ann"), paid(2, "bob"), paid(3, "eve")), List.of());
          awaitCommit(left, 1);
          context.getBean(Trouble.class).customers.clear();
          awaitCommit(left, 3);
          assertThat(amounts(context, "onebob")).containsExactly(2);
          assertThat(amounts(context, "twoeve")).containsExactly(3);
        },
        "onebob",
        "twoeve");
  }

  @Test
  @DisplayName("lets nothing overtake what an earlier call has not done, and commits none of it")
  void oneByOne() {
    run(
        OneByOne.class,
        context -> {
          together(context, List.of(paid(1, "ann"), paid(2, "bob"), paid(3, "eve")), List.of());
          awaitCommit(left, 1);
          assertThat(amounts(context, "oneeve")).isEmpty();
          context.getBean(Trouble.class).customers.clear();
          awaitCommit(left, 3);
          assertThat(amounts(context, "onebob")).containsExactly(2);
          assertThat(amounts(context, "oneeve")).containsExactly(3);
        },
        "onebob");
  }

  @Test
  @DisplayName("gets done what an earlier call waits for, where that is in front of it")
  void inFront() {
    run(
        Backwards.class,
        context -> {
          context.getBean(Trouble.class).mends.put("oneann", "onebob");
          together(context, List.of(paid(1, "ann"), paid(2, "bob")), List.of());
          awaitCommit(left, 1);
          awaitCommit(left, 2);
          assertThat(amounts(context, "oneann")).containsExactly(1);
          assertThat(amounts(context, "onebob")).containsExactly(2);
        },
        "onebob");
  }

  record Single(KafkaIntakeListener<String, String> one) {
    @KafkaListener(
        topics = "${payments}",
        batch = "false",
        containerFactory = KafkaIntakeListener.FACTORY)
    @SuppressWarnings("DoNotCallSuggester") // its container would call it
    void take(ConsumerRecord<String, String> record) {
      throw new IllegalStateException("not done: " + record.offset());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OtherHandler {
    OtherHandler(
        @Qualifier(KafkaIntakeListener.FACTORY)
            ConcurrentKafkaListenerContainerFactory<?, ?> factory) {
      factory.setCommonErrorHandler(new DefaultErrorHandler());
    }
  }

  record Future(KafkaIntakeListener<String, String> one) {
    @KafkaListener(topics = "${payments}", containerFactory = KafkaIntakeListener.FACTORY)
    CompletableFuture<?> take(List<ConsumerRecord<String, String>> records) {
      return CompletableFuture.runAsync(() -> one.take(records));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Future.class)
  static class FilteredFuture {
    @Bean
    RecordFilterStrategy<Object, Object> filter() {
      return record -> false;
    }
  }

  record Swallowing(KafkaIntakeListener<String, String> one) {
    @KafkaListener(
        topics = "${payments}",
        errorHandler = "swallows",
        containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      one.take(records.subList(0, 1));
      throw new IllegalStateException("before the second take");
    }

    @Bean
    static KafkaListenerErrorHandler swallows() {
      return (message, thrown) -> "done";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Swallowing.class)
  static class FilteredSwallowing {
    @Bean
    RecordFilterStrategy<Object, Object> filter() {
      return record -> false;
    }
  }

  record Manual(KafkaIntakeListener<String, String> one) {
    @KafkaListener(
        topics = "${payments}",
        ackMode = "MANUAL",
        containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records, Acknowledgment acknowledgment) {
      one.take(records);
      acknowledgment.acknowledge();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class AsyncAcks {
    AsyncAcks(
        @Qualifier(KafkaIntakeListener.FACTORY)
            ConcurrentKafkaListenerContainerFactory<?, ?> factory) {
      factory.getContainerProperties().setAsyncAcks(true);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class InTransaction {
    InTransaction(
        @Qualifier(KafkaIntakeListener.FACTORY)
            ConcurrentKafkaListenerContainerFactory<?, ?> factory) {
      var producers = new DefaultKafkaProducerFactory<>(Map.of());
      producers.setTransactionIdPrefix("shop");
      factory
          .getContainerProperties()
          .setKafkaAwareTransactionManager(new KafkaTransactionManager<>(producers));
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Single.class,
        OtherHandler.class,
        FilteredFuture.class,
        AsyncAcks.class,
        InTransaction.class
      })
  @DisplayName("is refused where its container would drop what is not done")
  void refused(Class<?> wrong) {
    runner()
        .withUserConfiguration(EachItsOwn.class, wrong)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("would commit records that are not done"));
  }

  @Test
  @DisplayName("is refused where it returns a future, which its container would wait for alone")
  void future() {
    refused(Future.class);
  }

  @Test
  @DisplayName("is refused where what it throws between two intakes would be swallowed")
  void swallowed() {
    refused(Swallowing.class);
    refused(FilteredSwallowing.class);
  }

  @Test
  @DisplayName("is refused where it acknowledges, whatever is done")
  void acknowledgment() {
    refused(Manual.class);
  }

  @FunctionalInterface
  interface Check {
    void check(ApplicationContext context) throws Exception;
  }

  private void run(Class<?> listener, Check check, String... troubled) {
    BROKER.addTopics(new NewTopic(topic, 2, (short) 1));
    runner()
        .withUserConfiguration(listener)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              context.getBean(Trouble.class).customers.addAll(List.of(troubled));
              check.check(context);
            });
  }

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
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
            "spring.kafka.bootstrap-servers=" + BROKER.getBrokersAsString())
        .withUserConfiguration(KafkaIntakeListenerTest.Shop.class, Intakes.class);
  }

  private static Paid paid(int id, String customer) {
    return new Paid("m" + id, customer, id);
  }

  /** All of them come with one poll. */
  private void together(ApplicationContext context, List<Paid> toLeft, List<Paid> toRight) {
    var registry = context.getBean(KafkaListenerEndpointRegistry.class);
    registry.getListenerContainers().forEach(MessageListenerContainer::pause);
    await()
        .until(
            () ->
                registry.getListenerContainers().stream()
                    .allMatch(MessageListenerContainer::isContainerPaused));
    toLeft.forEach(paid -> send(context, 0, paid));
    toRight.forEach(paid -> send(context, 1, paid));
    registry.getListenerContainers().forEach(MessageListenerContainer::resume);
  }

  @SuppressWarnings("unchecked")
  private void send(ApplicationContext context, int partition, Paid paid) {
    KafkaTemplate<Object, Object> template = context.getBean(KafkaTemplate.class);
    template.send(topic, partition, "key", new JsonMapper().writeValueAsString(paid)).join();
  }

  @SuppressWarnings("unchecked")
  private static List<Integer> amounts(ApplicationContext context, String customer) {
    EntityStore<Spending> store =
        (EntityStore<Spending>) context.getBean("spendingStore", EntityStore.class);
    return store.find(key(customer)).map(Spending::getAmounts).orElse(List.of());
  }

  /** Waits until so much is committed; more is never taken back, and fails at once. */
  private void awaitCommit(TopicPartition of, long offset) {
    long reached =
        await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> committed().getOrDefault(of, 0L), committed -> committed >= offset);
    assertThat(reached).isEqualTo(offset);
  }

  private Map<TopicPartition, Long> committed() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.getBrokersAsString()))) {
      Map<TopicPartition, OffsetAndMetadata> found =
          admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get();
      return found.entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().offset()));
    }
  }
}
