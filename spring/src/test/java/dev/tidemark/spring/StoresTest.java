package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.spring.open.Open;
import dev.tidemark.spring.roots.Account;
import dev.tidemark.spring.roots.Payment;
import dev.tidemark.spring.shop.OrderView;
import dev.tidemark.spring.shop.Spending;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("An application's tracked classes")
class StoresTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  MongoAutoConfiguration.class, TidemarkStoresAutoConfiguration.class));
  private final ApplicationContextRunner shop =
      runner
          .withUserConfiguration(Shop.class, Clients.class)
          .withPropertyValues(
              "spring.mongodb.uri=" + Servers.mongoUri(), "spring.mongodb.database=shop");

  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage(basePackageClasses = OrderView.class)
  static class Shop {}

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackages = "dev.tidemark.spring.both")
  static class Both {}

  @Configuration(proxyBeanMethods = false)
  static class Clients {
    @Bean(destroyMethod = "")
    DynamoDbClient dynamoDbClient() {
      return Servers.dynamoDb();
    }
  }

  // snippet: spring-stores
  record Handlers(EntityStore<OrderView> orders, EntityStore<Spending> spendings) {}

  // end

  @Test
  @DisplayName("have stores that are injected by their type, each on the store that it fits")
  void injected() {
    String table = ordersTable();
    shop.withPropertyValues("tidemark.tables.order-view=" + table)
        .withBean(Handlers.class)
        .run(
            context -> {
              Handlers handlers = context.getBean(Handlers.class);
              assertThat(handlers.orders()).isInstanceOf(DynamoDbEntityStore.class);
              assertThat(handlers.spendings()).isInstanceOf(MongoEntityStore.class);
              assertThat(handlers.spendings().toString()).contains("spendings");
              assertThat(once(handlers.orders())).containsExactly("Applied", "Duplicate");
              assertThat(once(handlers.spendings())).containsExactly("Applied", "Duplicate");
              assertThat(handlers.orders().find(key("4711")))
                  .get()
                  .extracting("total")
                  .isEqualTo(25);
              assertThat(
                      Servers.mongo()
                          .getDatabase("shop")
                          .getCollection("spendings")
                          .countDocuments())
                  .isPositive();
            });
  }

  @Test
  @DisplayName("are not asked of their server before somebody has the store injected")
  void lazily() {
    shop.withPropertyValues(
            "tidemark.tables.order-view=nowhere",
            "spring.mongodb.uri=mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1")
        .run(context -> assertThat(context).hasNotFailed().hasBean("orderViewStore"));
  }

  @Test
  @DisplayName(
      "have no store but the application's own, where it defines one and no property is for them")
  void own() {
    shop.withUserConfiguration(Own.class)
        .run(
            context ->
                assertThat(context.getBeanNamesForType(DynamoDbEntityStore.class))
                    .containsExactly("mine"));
  }

  @Test
  @DisplayName(
      "have the store of a property beside the application's own, and nobody is given either")
  void ownBeside() {
    for (String property :
        List.of(
            "tidemark.tables.order-view=orders",
            "tidemark.tables[" + OrderView.class.getName() + "]=orders")) {
      ApplicationContextRunner both =
          shop.withPropertyValues(property).withUserConfiguration(Own.class);
      both.run(
          context ->
              assertThat(context.getBeanNamesForType(DynamoDbEntityStore.class))
                  .containsExactlyInAnyOrder("mine", "orderViewStore"));
      both.withBean(Handlers.class)
          .run(
              context ->
                  assertThat(context.getStartupFailure())
                      .rootCause()
                      .isInstanceOf(NoUniqueBeanDefinitionException.class)
                      .hasMessageContaining("mine")
                      .hasMessageContaining("orderViewStore"));
    }
    shop.withPropertyValues("tidemark.tables.order-view=orders")
        .withUserConfiguration(OwnOfItsName.class)
        .run(
            context ->
                assertThat(context.getBeanNamesForType(DynamoDbEntityStore.class))
                    .containsExactly("orderViewStore"));
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnOfItsName {
    @Bean
    DynamoDbEntityStore<OrderView> orderViewStore(DynamoDbClient client) {
      return new Own().mine(client);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Own {
    @Bean
    DynamoDbEntityStore<OrderView> mine(DynamoDbClient client) {
      return DynamoDbEntityStore.of(
          client,
          "mine",
          software.amazon.awssdk.enhanced.dynamodb.TableSchema.fromBean(OrderView.class));
    }
  }

  @Test
  @DisplayName("tell the listeners that are beans, and are set up by customizers")
  void listeners() {
    String table = ordersTable();
    List<StoreCall> calls = new CopyOnWriteArrayList<>();
    List<Class<?>> asked = new CopyOnWriteArrayList<>();
    shop.withPropertyValues("tidemark.tables.OrderView=" + table)
        .withBean(StoreListener.class, () -> calls::add)
        .withBean(DynamoDbStoreCustomizer.class, () -> (type, builder) -> asked.add(type))
        .withBean(MongoStoreCustomizer.class, () -> (type, builder) -> asked.add(type))
        .withBean(Handlers.class)
        .run(
            context -> {
              once(context.getBean(Handlers.class).orders());
              assertThat(calls).extracting(StoreCall::store).containsExactly(table, table);
              assertThat(asked).containsExactly(OrderView.class, Spending.class);
            });
  }

  @Test
  @DisplayName("stop the application where nothing names a table, and it says what to do")
  void unnamed() {
    shop.run(
        context -> {
          FailureAnalysis analysis = analysis(context.getStartupFailure());
          assertThat(analysis.getDescription()).contains(OrderView.class.getName());
          assertThat(analysis.getAction())
              .isEqualTo("Set tidemark.tables.order-view, or annotate the class with @InTable.");
        });
  }

  @Test
  @DisplayName("stop the application where a property names none of them, and it says which it has")
  void misnamed() {
    for (String property :
        List.of(
            "tables.spendings",
            "tables[com.example.Spending]",
            "stores.spendng",
            "tables.order.view")) {
      shop.withPropertyValues(
              "tidemark.tables.order-view=orders", "tidemark." + property + "=mongodb")
          .run(
              context -> {
                FailureAnalysis analysis = analysis(context.getStartupFailure());
                assertThat(analysis.getDescription()).contains("none of the tracked classes");
                assertThat(analysis.getAction()).contains(OrderView.class.getName());
              });
    }
  }

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = Payment.class)
  static class Roots {}

  record PaymentsHandler(EntityStore<Payment> payments, EntityStore<Account> accounts) {}

  private ApplicationContextRunner ofRoots() {
    return runner
        .withUserConfiguration(Roots.class)
        .withPropertyValues(
            "spring.mongodb.uri=" + Servers.mongoUri(), "spring.mongodb.database=shop");
  }

  @Test
  @DisplayName(
      "have a store if they are annotated themselves, abstract or not, and their subclasses none")
  void roots() {
    ofRoots()
        .run(
            context ->
                assertThat(context.getBeanNamesForType(EntityStore.class))
                    .containsExactlyInAnyOrder(
                        "paymentStore", "documentStore", "accountStore", "customerStore"));
    ofRoots()
        .withPropertyValues("tidemark.tables.card=cards", "tidemark.tables.savings=")
        .run(
            context ->
                assertThat(context.getBeanNamesForType(EntityStore.class))
                    .contains("paymentStore", "cardStore")
                    .doesNotContain("savingsStore"));
  }

  @Test
  @DisplayName("have one store for all their subclasses")
  void subclasses() {
    String card = Servers.fresh("card");
    ofRoots()
        .withBean(PaymentsHandler.class)
        .run(
            context -> {
              EntityStore<Payment> payments = context.getBean(PaymentsHandler.class).payments();
              var change = change().set("_t", Payment.Card.class.getName()).add("total", 25);
              assertThat(payments.update(MessageId.of(card), key(card), change.createIfMissing()))
                  .isInstanceOf(Outcome.Applied.class);
              assertThat(payments.find(key(card))).get().isInstanceOf(Payment.Card.class);
            });
  }

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = Open.class)
  static class Opens {}

  @Test
  @DisplayName("stop the application if they are abstract and nothing names a table for any class")
  void rootWithoutTable() {
    runner
        .withUserConfiguration(Opens.class, Clients.class)
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getAction())
                    .isEqualTo(
                        "Set tidemark.tables.open, or annotate the class with @InTable; or each of"
                            + " its subclasses, if these are in tables of their own."));
  }

  @Test
  @DisplayName("stop the application where they fit two stores, until it says which")
  void both() {
    ApplicationContextRunner both =
        runner
            .withUserConfiguration(Both.class, Clients.class)
            .withPropertyValues("tidemark.tables.order-view=orders");
    both.run(
        context ->
            assertThat(analysis(context.getStartupFailure()).getAction())
                .isEqualTo("Say which: tidemark.stores.order-view=dynamodb or =mongodb."));
    both.withPropertyValues("tidemark.stores.order-view=mongodb")
        .run(
            context ->
                assertThat(context.getType("orderViewStore")).isEqualTo(MongoEntityStore.class));
  }

  @Test
  @DisplayName("stop the application where the one client is of a store that they do not fit")
  void unfit() {
    ApplicationContextRunner one =
        new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TidemarkStoresAutoConfiguration.class))
            .withUserConfiguration(Shop.class)
            .withPropertyValues("tidemark.tables.order-view=orders");
    one.withUserConfiguration(Clients.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("Spending has no mapping for DynamoDB"));
    one.run(
        context ->
            assertThat(context.getStartupFailure())
                .hasMessageContaining("there is no bean of type DynamoDbClient"));
    one.withClassLoader(new FilteredClassLoader(DynamoDbEntityStore.class))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("tidemark-dynamodb is not on the class path"));
  }

  @Test
  @DisplayName("stop the application where its only client is an asynchronous one, and it says so")
  void asynchronous() {
    ApplicationContextRunner none =
        new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TidemarkStoresAutoConfiguration.class))
            .withPropertyValues("tidemark.tables.order-view=orders");
    String neither = "is mapped for DynamoDB and for MongoDB, and there is a client of neither";
    none.withUserConfiguration(Both.class)
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getDescription())
                    .endsWith(neither + "."));
    ApplicationContextRunner asynchronous = none.withUserConfiguration(Asynchronous.class);
    asynchronous
        .withUserConfiguration(Both.class)
        .run(
            context -> {
              FailureAnalysis analysis = analysis(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .endsWith(neither + ": no EntityStore is made of the DynamoDbAsyncClient.");
              assertThat(analysis.getAction()).contains("keep the class out of the packages");
            });
    asynchronous
        .withUserConfiguration(AlsoShop.class)
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getDescription())
                    .endsWith(
                        "there is no bean of type DynamoDbClient: no EntityStore is made of the"
                            + " DynamoDbAsyncClient."));
  }

  @Configuration(proxyBeanMethods = false)
  static class Asynchronous {
    @Bean
    DynamoDbAsyncClient client() {
      return DynamoDbAsyncClient.builder()
          .region(Region.EU_CENTRAL_1)
          .credentialsProvider(
              StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
          .build();
    }
  }

  @Test
  @DisplayName("are told apart by full names where simple ones are the same")
  void sameNames() {
    ApplicationContextRunner same =
        shop.withUserConfiguration(Both.class, AlsoShop.class)
            .withPropertyValues("tidemark.stores[dev.tidemark.spring.both.OrderView]=dynamodb");
    same.withPropertyValues("tidemark.tables.order-view=orders")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("could mean any of")
                    .hasMessageContaining("Use full names"));
    same.withPropertyValues(
            "tidemark.tables[dev.tidemark.spring.both.OrderView]=one",
            "tidemark.tables[dev.tidemark.spring.shop.OrderView]=two")
        .run(
            context ->
                assertThat(context.getBeanNamesForType(DynamoDbEntityStore.class)).hasSize(2));
  }

  @Configuration(proxyBeanMethods = false)
  @TrackedScan(basePackageClasses = OrderView.class)
  static class AlsoShop {}

  @Test
  @DisplayName("of MongoDB stop who injects them where nothing names a database")
  void database() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(TidemarkStoresAutoConfiguration.class))
        .withUserConfiguration(Shop.class, Clients.class)
        .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
        .withPropertyValues("tidemark.tables.order-view=orders")
        .withBean(Handlers.class)
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getAction())
                    .isEqualTo("Set tidemark.mongodb.database, or spring.mongodb.database."));
  }

  private static FailureAnalysis analysis(@Nullable Throwable failure) {
    FailureAnalysis analysis =
        new SetupFailureAnalyzer().analyze(Objects.requireNonNull(failure, "no failure"));
    return Objects.requireNonNull(analysis, () -> "not analyzed: " + failure);
  }

  private static List<String> once(EntityStore<?> store) {
    return List.of(pay(store), pay(store));
  }

  private static String pay(EntityStore<?> store) {
    Outcome<?> outcome =
        store.update(MessageId.of("m1"), key("4711"), change().add("total", 25).createIfMissing());
    return outcome.getClass().getSimpleName();
  }

  private static String ordersTable() {
    String table = Servers.fresh("orders");
    Servers.dynamoDb()
        .createTable(
            request ->
                request
                    .tableName(table)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(
                        KeySchemaElement.builder()
                            .attributeName("id")
                            .keyType(KeyType.HASH)
                            .build())
                    .attributeDefinitions(
                        AttributeDefinition.builder()
                            .attributeName("id")
                            .attributeType(ScalarAttributeType.S)
                            .build()));
    return table;
  }
}
