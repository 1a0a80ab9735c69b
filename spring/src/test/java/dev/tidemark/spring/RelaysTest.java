package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.micrometer.TidemarkMetrics;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import dev.tidemark.spring.shop.OrderView;
import dev.tidemark.spring.shop.Spending;
import dev.tidemark.store.RecordStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

@DisplayName("The relay of an application")
class RelaysTest {
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final String table = Servers.fresh("spendings");
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  TidemarkMetricsAutoConfiguration.class,
                  TidemarkOutboxAutoConfiguration.class,
                  TidemarkRecordsAutoConfiguration.class,
                  TidemarkStoresAutoConfiguration.class))
          .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
          .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
          .withUserConfiguration(Shop.class)
          .withPropertyValues(
              "spendings=" + table,
              "tidemark.mongodb.database=relays",
              "tidemark.tables.spending=" + table,
              "tidemark.tables.order-view=orders",
              "tidemark.stores.order-view=mongodb");

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = Spending.class)
  static class Shop {
    final List<String> sent = new CopyOnWriteArrayList<>();

    // snippet: spring-outbox
    @Bean
    OutboxRecords spendingsOutbox(MongoClient client, @Value("${spendings}") String collection) {
      MongoOutbox outbox = MongoOutbox.of(client.getDatabase("relays").getCollection(collection));
      outbox.createIndex();
      return outbox;
    }

    @Bean
    Sender sender() {
      return Sender.each(message -> sent.add(message.message().text().orElseThrow()));
    }
    // end
  }

  @Test
  @DisplayName(
      "sends what stores publish from the start of the context to its end, and again after a"
          + " restart")
  void sends() {
    runner.run(
        context -> {
          Shop shop = context.getBean(Shop.class);
          publish(context, "m1", "one");
          await().untilAsserted(() -> assertThat(shop.sent).containsExactly("one"));
          Relays relays = context.getBean(Relays.class);
          relays.stop();
          publish(context, "m2", "two");
          assertThat(relays.isRunning()).isFalse();
          assertThat(threads()).isZero();
          assertThat(shop.sent).containsExactly("one");
          relays.start();
          await().untilAsserted(() -> assertThat(shop.sent).containsExactly("one", "two"));
          context.close();
          assertThat(threads()).isZero();
        });
  }

  @Test
  @DisplayName(
      "keeps the leases of its shards in the table of executions, if a property names that table")
  void leases() {
    String leases = Servers.fresh("executions");
    runner
        .withPropertyValues("tidemark.executions.table=" + leases)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              await().until(() -> collection(leases).countDocuments() > 0);
            });
    String beside = Servers.fresh("executions");
    runner
        .withPropertyValues("tidemark.executions.table=" + beside)
        .withBean("marks", RecordStore.class, () -> MongoRecordStore.of(collection("marks")))
        .run(context -> await().until(() -> collection(beside).countDocuments() > 0));
  }

  private static MongoCollection<Document> collection(String name) {
    return Servers.mongo().getDatabase("relays").getCollection(name);
  }

  @Test
  @DisplayName("has meters where there is a registry, and so have the stores")
  void meters() {
    runner.run(
        context -> {
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          publish(context, "m1", "one");
          await()
              .untilAsserted(
                  () ->
                      assertThat(
                              registry
                                  .get("tidemark.outbox.sent")
                                  .tag("records", "relays." + table)
                                  .counter()
                                  .count())
                          .isEqualTo(1));
          assertThat(registry.get("tidemark.calls").tag("store", table).timer().count())
              .isEqualTo(1);
        });
    runner
        .withClassLoader(new FilteredClassLoader(TidemarkMetrics.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("tidemarkMetrics"));
  }

  @Test
  @DisplayName("is healthy while it makes passes, and down once it has made none for too long")
  void health() {
    runner.run(
        context -> {
          HealthIndicator health = context.getBean(HealthIndicator.class);
          await()
              .untilAsserted(
                  () -> assertThat(told(health).getDetails().toString()).contains("pending=0"));
          assertThat(told(health).getStatus()).isEqualTo(Status.UP);
          Relays relays = context.getBean(Relays.class);
          Clock later = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
          assertThat(new RelaysHealth(relays, Duration.ofMinutes(1), later).health().getStatus())
              .isEqualTo(Status.DOWN);
          relays.stop();
          assertThat(told(health).getStatus()).isEqualTo(Status.DOWN);
        });
    runner
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Relays.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class Interrupted {
    final List<Exception> thrown = new CopyOnWriteArrayList<>(List.of(new InterruptedException()));

    @Bean
    @Primary
    Sender interruptedSender(Shop shop) {
      return messages -> {
        if (!thrown.isEmpty()) {
          throw (InterruptedException) thrown.remove(0);
        }
        return shop.sender().send(messages);
      };
    }
  }

  @Test
  @DisplayName(
      "begins again where its sender has thrown an InterruptedException, until it is stopped")
  void interrupted() {
    runner
        .withUserConfiguration(Interrupted.class)
        .run(
            context -> {
              publish(context, "m1", "one");
              Shop shop = context.getBean(Shop.class);
              await().untilAsserted(() -> assertThat(shop.sent).containsExactly("one"));
              assertThat(context.getBean(Interrupted.class).thrown).isEmpty();
              HealthIndicator health = context.getBean(HealthIndicator.class);
              assertThat(told(health).getStatus()).isEqualTo(Status.UP);
              await().until(() -> threads() == 1);
              Thread.getAllStackTraces().keySet().stream()
                  .filter(thread -> thread.getName().contains(table))
                  .forEach(Thread::interrupt);
              publish(context, "m2", "two");
              await().untilAsserted(() -> assertThat(shop.sent).containsExactly("one", "two"));
              Relays relays = context.getBean(Relays.class);
              context.getBean(Interrupted.class).thrown.add(new InterruptedException());
              publish(context, "m3", "three");
              await().until(() -> context.getBean(Interrupted.class).thrown.isEmpty());
              relays.stop();
              assertThat(threads()).isZero();
              assertThat(told(health).getStatus()).isEqualTo(Status.DOWN);
            });
  }

  @Test
  @DisplayName("stays healthy while a broker is away, which what waits tells of")
  void brokerAway() {
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
    AtomicLong nanos = new AtomicLong();
    RunningRelay relay = new RunningRelay("spendings", later, nanos::get);
    Instant before = relay.lastGood();
    nanos.addAndGet(MINUTE);
    relay.passed(pass(false, new IllegalStateException("the store")));
    assertThat(relay.lastGood()).isBefore(before);
    relay.passed(pass(true, new IllegalStateException("the broker, or a record")));
    assertThat(relay.lastGood()).isAfter(before);
  }

  @Test
  @DisplayName("stays healthy while its sender waits for a broker, however long that takes")
  void brokerSlow() {
    Clock still = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    AtomicLong nanos = new AtomicLong();
    RunningRelay relay = new RunningRelay("spendings", still, nanos::get);
    nanos.addAndGet(MINUTE);
    Ongoing.Scope call = relay.sending(pass(true, null));
    nanos.addAndGet(10 * MINUTE);
    assertThat(relay.lastGood()).isEqualTo(Instant.EPOCH);
    call.close();
    assertThat(relay.lastGood()).isEqualTo(Instant.EPOCH);
    nanos.addAndGet(MINUTE);
    assertThat(relay.lastGood()).isEqualTo(Instant.EPOCH.minusNanos(MINUTE));
  }

  private static RelayPass pass(boolean answered, @Nullable Throwable error) {
    Duration none = Duration.ZERO;
    return new RelayPass("spendings", 4, 1, none, 0, 0, 0, 0, 0, 0, 0, 0, 0, none, answered, error);
  }

  @Configuration(proxyBeanMethods = false)
  static class Tenants {
    final List<String> sent = new CopyOnWriteArrayList<>();
    final Set<String> tables = new CopyOnWriteArraySet<>();

    // snippet: spring-outbox-source
    @Bean
    OutboxSource tenantsOutboxes(MongoClient client) {
      return () ->
          tables.stream()
              .map(table -> MongoOutbox.of(client.getDatabase("relays").getCollection(table)))
              .toList();
    }

    // end

    @Bean
    Sender sender() {
      return Sender.each(message -> sent.add(message.message().text().orElseThrow()));
    }
  }

  @Test
  @DisplayName("comes and goes with the records that a source names")
  void source() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                TidemarkMetricsAutoConfiguration.class, TidemarkOutboxAutoConfiguration.class))
        .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withUserConfiguration(Tenants.class)
        .run(
            context -> {
              Relays relays = context.getBean(Relays.class);
              HealthIndicator health = context.getBean(HealthIndicator.class);
              assertThat(relays.isRunning()).isTrue();
              assertThat(relays.running()).isEmpty();
              assertThat(told(health).getStatus()).isEqualTo(Status.UP);
              Set<String> tables = context.getBean(Tenants.class).tables;
              tables.add(table);
              await().until(() -> threads() == 1);
              await()
                  .untilAsserted(
                      () -> assertThat(told(health).getDetails()).containsKey("relays." + table));
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.find("tidemark.outbox.pass.age").gauge()).isNotNull();
              tables.clear();
              await().until(() -> threads() == 0);
              assertThat(told(health).getDetails()).isEmpty();
              assertThat(registry.find("tidemark.outbox.pass.age").gauge()).isNull();
              tables.add(table);
              await().until(() -> threads() == 1);
              context.close();
              assertThat(threads()).isZero();
            });
  }

  static MongoOutbox outbox(String table) {
    return MongoOutbox.of(Servers.mongo().getDatabase("relays").getCollection(table));
  }

  static Relays relays(
      List<OutboxRecords> outboxes,
      List<OutboxSource> sources,
      Sender sender,
      GoneRecords... told) {
    return new Relays(
        outboxes,
        sources,
        sender,
        null,
        List.of(),
        List.of(),
        List.of(told),
        new StaticListableBeanFactory().getBeanProvider(RelayCustomizer.class),
        Clock.systemUTC(),
        Duration.ofSeconds(2));
  }

  @Test
  @DisplayName("is not made for one of two tables of one name, which nobody could tell apart")
  void twoOfOneName() {
    MongoOutbox one = outbox(table);
    Sender sender = Sender.each(message -> {});
    assertThatThrownBy(() -> relays(List.of(one, outbox(table)), List.of(), sender))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("relays." + table);
    List<OutboxRecords> named = new CopyOnWriteArrayList<>();
    Relays relays = relays(List.of(one), List.of(() -> named), sender);
    relays.start();
    await().until(() -> threads() == 1);
    named.add(outbox(table)); // as a source makes it anew
    named.add(outbox(table + "-other"));
    await().until(() -> threads() == 2);
    assertThat(relays.unnamed()).isNull();
    named.add(elsewhere(table));
    named.add(outbox(table + "-third"));
    await().until(() -> relays.unnamed() != null);
    assertThat(relays.unnamed()).hasMessageContaining("relays." + table);
    await().until(() -> threads() == 3);
    relays.stop();
  }

  /** Records of the same name that are others. */
  private static OutboxRecords elsewhere(String table) {
    MongoOutbox records = outbox(table);
    return (OutboxRecords)
        Proxy.newProxyInstance(
            OutboxRecords.class.getClassLoader(),
            new Class<?>[] {OutboxRecords.class},
            (proxy, method, arguments) -> method.invoke(records, arguments));
  }

  @Test
  @DisplayName("ends together with others, though their senders hang")
  void endsTogether() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch hang = new CountDownLatch(3);
    List<OutboxRecords> outboxes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      MongoOutbox outbox = outbox(table + i);
      outbox.createIndex();
      outboxes.add(outbox);
      publish(
          MongoEntityStore.builder(Servers.mongo().getDatabase("relays").getCollection(table + i))
              .build(),
          "m");
    }
    Relays relays =
        relays(
            outboxes,
            List.of(),
            Sender.each(
                message -> {
                  hang.countDown();
                  go.await();
                }));
    relays.start();
    hang.await();
    long began = System.nanoTime();
    relays.stop();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    assertThat(threads()).isEqualTo(3);
    go.countDown();
    await().until(() -> threads() == 0);
  }

  @Configuration(proxyBeanMethods = false)
  static class Throwing {
    volatile boolean isMended;

    @Bean
    OutboxSource source() {
      return () -> {
        if (isMended) {
          return List.of();
        }
        throw new NoClassDefFoundError("a/B"); // also what a task does not survive by itself
      };
    }

    @Bean
    Sender sender() {
      return Sender.each(message -> {});
    }
  }

  @Test
  @DisplayName("is told to be missing by the health while a source does not name its records")
  void sourceThrows() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(TidemarkOutboxAutoConfiguration.class))
        .withUserConfiguration(Throwing.class)
        .withPropertyValues("tidemark.outbox.stale-after=6s")
        .run(
            context -> {
              HealthIndicator health = context.getBean(HealthIndicator.class);
              await().until(() -> told(health).getDetails().containsKey("sources"));
              assertThat(told(health).getStatus()).isEqualTo(Status.UP); // it may be a moment's
              await().until(() -> told(health).getStatus().equals(Status.DOWN));
              context.getBean(Throwing.class).isMended = true;
              await().until(() -> told(health).getStatus().equals(Status.UP));
              assertThat(told(health).getDetails()).isEmpty();
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Table {
    final Set<String> sent = ConcurrentHashMap.newKeySet();

    @Bean
    OutboxRecords outbox(DynamoDbClient client, @Value("${spendings}") String table) {
      return DynamoDbOutbox.of(client, table);
    }

    @Bean
    Sender sender() {
      return Sender.each(message -> sent.add(message.message().text().orElseThrow()));
    }

    @Bean
    RelayCustomizer looksSeldom() {
      return (records, relay) -> relay.interval(Duration.ofHours(1));
    }
  }

  @Test
  @DisplayName("is told by a table's stream what was published, long before it looks")
  void stream() {
    DynamoDbClient client = Servers.dynamoDb();
    var unused =
        client.createTable(
            create ->
                create
                    .tableName(table)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .streamSpecification(
                        s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE))
                    .attributeDefinitions(
                        Stream.concat(
                                Stream.of(
                                    AttributeDefinition.builder()
                                        .attributeName("id")
                                        .attributeType(ScalarAttributeType.S)
                                        .build()),
                                DynamoDbOutbox.indexAttributes(AttributeNames.defaults()).stream())
                            .toList())
                    .keySchema(
                        KeySchemaElement.builder()
                            .attributeName("id")
                            .keyType(KeyType.HASH)
                            .build())
                    .globalSecondaryIndexes(DynamoDbOutbox.index(AttributeNames.defaults())));
    EntityStore<OrderView> rows =
        DynamoDbEntityStore.of(client, table, TableSchema.fromBean(OrderView.class));
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(TidemarkOutboxAutoConfiguration.class))
        .withBean(DynamoDbClient.class, () -> client, bean -> bean.setDestroyMethodName(""))
        .withBean(DynamoDbStreamsClient.class, Servers::streams)
        .withUserConfiguration(Table.class)
        .withPropertyValues("spendings=" + table, "tidemark.outbox.streams=true")
        .run(context -> awaitStream(rows, context.getBean(Table.class).sent));
  }

  /** What comes before a stream is open waits for a look, and what comes later does not. */
  static void awaitStream(EntityStore<?> rows, Set<String> sent) {
    int[] published = {0};
    await()
        .until(
            () -> {
              publish(rows, "m" + published[0]++);
              return !sent.isEmpty();
            });
    publish(rows, "last");
    await().until(() -> sent.contains("last"));
  }

  static void publish(EntityStore<?> rows, String id) {
    var outcome =
        rows.update(MessageId.of(id), key(id), change().createIfMissing().publish("spendings", id));
    assertThat(outcome.isDone()).isTrue();
  }

  @Test
  @DisplayName("does not run where it is switched off")
  void disabled() {
    runner
        .withPropertyValues("tidemark.outbox.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(Relays.class)
                    .doesNotHaveBean(HealthIndicator.class));
  }

  private static Health told(HealthIndicator indicator) {
    return Objects.requireNonNull(indicator.health());
  }

  private long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(table))
        .count();
  }

  private static void publish(ApplicationContext context, String id, String payload) {
    var outcome =
        context
            .getBean("spendingStore", EntityStore.class)
            .update(
                MessageId.of(id),
                key("ann"),
                change().add("total", 1).publish("spendings", payload).createIfMissing());
    assertThat(outcome.isDone()).isTrue();
  }
}
