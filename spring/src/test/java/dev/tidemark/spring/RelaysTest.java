package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.micrometer.TidemarkMetrics;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import dev.tidemark.spring.shop.OrderView;
import dev.tidemark.spring.shop.Spending;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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
  @DisplayName("shares its shards by the records of executions, where a property names their table")
  void leases() {
    String leases = Servers.fresh("executions");
    runner
        .withPropertyValues("tidemark.executions.table=" + leases)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              await()
                  .untilAsserted(
                      () ->
                          assertThat(
                                  Servers.mongo()
                                      .getDatabase("relays")
                                      .getCollection(leases)
                                      .countDocuments())
                              .isPositive());
            });
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

  @Test
  @DisplayName("stays healthy while a broker is away, which what waits tells of")
  void brokerAway() {
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
    RunningRelay relay = new RunningRelay("spendings", later);
    Instant before = relay.lastGood();
    relay.passed(pass(0, new IllegalStateException("the store")));
    assertThat(relay.lastGood()).isEqualTo(before);
    relay.passed(pass(1, new IllegalStateException("the broker")));
    assertThat(relay.lastGood()).isAfter(before);
  }

  private static RelayPass pass(int failed, Throwable error) {
    return new RelayPass(
        "spendings", 4, 1, Duration.ZERO, 0, failed, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO, error);
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
        .run(
            context -> {
              Set<String> sent = context.getBean(Table.class).sent;
              int[] published = {0};
              await() // what comes before the stream is open waits for a look
                  .until(
                      () -> {
                        String id = "m" + published[0]++;
                        var outcome =
                            rows.update(
                                MessageId.of(id),
                                key(id),
                                change().createIfMissing().publish("spendings", id));
                        assertThat(outcome.isDone()).isTrue();
                        return !sent.isEmpty();
                      });
              var outcome =
                  rows.update(
                      MessageId.of("last"),
                      key("last"),
                      change().createIfMissing().publish("spendings", "last"));
              assertThat(outcome.isDone()).isTrue();
              await().until(() -> sent.contains("last"));
            });
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
