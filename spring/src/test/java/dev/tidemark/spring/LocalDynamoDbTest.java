package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Sender;
import dev.tidemark.spring.shop.OrderView;
import dev.tidemark.spring.single.Courier;
import dev.tidemark.spring.single.Parcel;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;

@DisplayName("DynamoDB Local in the place of an application's clients")
class LocalDynamoDbTest {
  private final AtomicInteger made = new AtomicInteger();
  private final ApplicationContextRunner production =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(LocalDynamoDbAutoConfiguration.class))
          .withBean(
              "production",
              DynamoDbClient.class,
              () -> {
                made.incrementAndGet();
                return Servers.dynamoDb();
              },
              bean -> bean.setDestroyMethodName(""));
  private final ApplicationContextRunner local =
      production.withPropertyValues("tidemark.test.local-dynamodb.enabled=true");

  @Test
  @DisplayName("has their names, and a server for each context that begins empty")
  void replaced() {
    for (int i = 0; i < 2; i++) {
      local.run(
          context -> {
            DynamoDbClient client = context.getBean("production", DynamoDbClient.class);
            assertThat(context.getBean(DynamoDbClient.class)).isSameAs(client);
            assertThat(client.listTables().tableNames()).isEmpty();
          });
    }
    assertThat(made).hasValue(0);
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Qualifier
  @interface Archive {}

  record Clients(DynamoDbClient plain, DynamoDbClient audit, DynamoDbClient archive) {}

  @Configuration(proxyBeanMethods = false)
  static class Several {
    @Bean({"orders", "alsoOrders"})
    DynamoDbClient orders() {
      throw new IllegalStateException("a test made a client of production");
    }

    @Bean(defaultCandidate = false)
    @Qualifier("audit")
    DynamoDbClient auditClient() {
      throw new IllegalStateException("a test made a client of production");
    }

    @Bean(defaultCandidate = false)
    @Archive
    @SuppressWarnings("DoNotCallSuggester") // that it is not called is what a test shows
    static DynamoDbClient archiveClient() {
      throw new IllegalStateException("a test made a client of production");
    }

    @Bean(autowireCandidate = false)
    DynamoDbClient hidden() {
      throw new IllegalStateException("a test made a client of production");
    }

    @Bean
    Clients clients(
        DynamoDbClient plain,
        @Qualifier("audit") DynamoDbClient audit,
        @Archive DynamoDbClient archive) {
      return new Clients(plain, audit, archive);
    }
  }

  @Test
  @DisplayName(
      "is injected as each client that it replaces: by default, by a qualifier, or by name")
  void several() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(LocalDynamoDbAutoConfiguration.class))
        .withUserConfiguration(Several.class)
        .withPropertyValues("tidemark.test.local-dynamodb.enabled=true")
        .run(
            context -> {
              Clients clients = context.getBean(Clients.class);
              assertThat(clients.plain()).isSameAs(context.getBean("alsoOrders"));
              assertThat(clients.audit()).isSameAs(context.getBean("auditClient"));
              assertThat(clients.archive()).isSameAs(context.getBean("archiveClient"));
              assertThat(context.getBean("hidden", DynamoDbClient.class).listTables().tableNames())
                  .isEmpty();
            });
  }

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = OrderView.class)
  static class Publishing {
    private static final Tracking OWN_NAMES =
        Tracking.defaults().names(new AttributeNames("ids", "seen", "rev", "born", "gone", "out"));

    final List<String> sent = new CopyOnWriteArrayList<>();

    @Bean
    OutboxRecords outbox(DynamoDbClient client) {
      return DynamoDbOutbox.of(client, "orders", OWN_NAMES, Clock.systemUTC());
    }

    @Bean
    DynamoDbStoreCustomizer ownNames() {
      return (type, store) -> store.tracking(OWN_NAMES);
    }

    @Bean
    Sender sender() {
      return Sender.each(message -> sent.add(message.message().text().orElseThrow()));
    }
  }

  @Test
  @DisplayName("has tables from which relays send what stores publish")
  void publishes() {
    local
        .withConfiguration(
            AutoConfigurations.of(
                TidemarkStoresAutoConfiguration.class, TidemarkOutboxAutoConfiguration.class))
        .withUserConfiguration(Publishing.class)
        .withPropertyValues(
            "tidemark.tables.order-view=orders",
            "tidemark.tables.spending=spendings",
            "tidemark.stores.order-view=dynamodb",
            "tidemark.stores.spending=dynamodb")
        .run(
            context -> {
              var outcome =
                  context
                      .getBean("orderViewStore", EntityStore.class)
                      .update(
                          MessageId.of("m1"),
                          key("o1"),
                          change().createIfMissing().publish("orders", "one"));
              assertThat(outcome.isDone()).isTrue();
              List<String> sent = context.getBean(Publishing.class).sent;
              await().untilAsserted(() -> assertThat(sent).containsExactly("one"));
            });
  }

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = Parcel.class)
  static class Single {}

  record Couriers(EntityStore<Parcel> parcels, EntityStore<Courier> couriers) {}

  @Test
  @DisplayName("has one table for the classes that are in one, with the indexes of all of them")
  void single() {
    local
        .withConfiguration(AutoConfigurations.of(TidemarkStoresAutoConfiguration.class))
        .withUserConfiguration(Single.class)
        .withBean(Couriers.class)
        .run(
            context -> {
              Couriers made = context.getBean(Couriers.class);
              var parcel =
                  made.parcels().update(MessageId.of("m1"), key("p1"), change().createIfMissing());
              var courier =
                  made.couriers()
                      .update(
                          MessageId.of("m2"),
                          key("c1"),
                          change().set("town", "Aachen").createIfMissing().publish("orders", "1"));
              assertThat(parcel.isDone() && courier.isDone()).isTrue();
              assertThat(
                      context
                          .getBean(DynamoDbClient.class)
                          .describeTable(table -> table.tableName("single"))
                          .table()
                          .globalSecondaryIndexes())
                  .extracting(GlobalSecondaryIndexDescription::indexName)
                  .hasSize(2)
                  .contains("byTown");
            });
  }

  @Test
  @DisplayName("stops the application where it is not on the class path, and says what to do")
  void missing() {
    local
        .withClassLoader(new FilteredClassLoader(DynamoDBEmbedded.class, AmazonDynamoDBLocal.class))
        .run(
            context -> {
              FailureAnalysis analysis =
                  Objects.requireNonNull(
                      new SetupFailureAnalyzer()
                          .analyze(Objects.requireNonNull(context.getStartupFailure())));
              assertThat(analysis.getAction())
                  .contains("com.amazonaws:DynamoDBLocal")
                  .contains("@AutoConfigureLocalDynamoDb(enabled = false)");
            });
    assertThat(made).hasValue(0);
  }

  @Test
  @DisplayName("is not there unless a test asks for it")
  void notAsked() {
    production.run(
        context -> assertThat(context.getBean(DynamoDbClient.class)).isSameAs(Servers.dynamoDb()));
    assertThat(made).hasValue(1);
  }
}
