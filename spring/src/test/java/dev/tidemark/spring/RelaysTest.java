package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.micrometer.TidemarkMetrics;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Sender;
import dev.tidemark.spring.shop.Spending;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
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
      "sends what stores publish from the start of the context to its end, and again after a restart")
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
