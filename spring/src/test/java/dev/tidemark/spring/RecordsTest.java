package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.mongodb.client.MongoClient;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.execution.Executions;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.store.RecordStore;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("Records of executions and inboxes")
class RecordsTest {
  private static final AutoConfigurations ALL =
      AutoConfigurations.of(
          TidemarkRecordsAutoConfiguration.class,
          TidemarkServletAutoConfiguration.class,
          TidemarkStoresAutoConfiguration.class);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(ALL)
          .withPropertyValues("tidemark.mongodb.database=records");

  private static ApplicationContextRunner withMongo(ApplicationContextRunner runner) {
    return runner.withBean(
        MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""));
  }

  private static ApplicationContextRunner withDynamoDb(ApplicationContextRunner runner) {
    return runner.withBean(
        DynamoDbClient.class, Servers::dynamoDb, bean -> bean.setDestroyMethodName(""));
  }

  @Test
  @DisplayName("are not there unless a property names their table")
  void absent() {
    withMongo(withDynamoDb(runner))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(RecordStore.class)
                    .doesNotHaveBean(Executions.class)
                    .doesNotHaveBean(MongoInbox.class)
                    .doesNotHaveBean(DynamoDbInbox.class));
  }

  @Test
  @DisplayName("are in the store that there is a client of, or that the settings say")
  void stores() {
    ApplicationContextRunner named = runner.withPropertyValues("tidemark.executions.table=keys");
    withMongo(named).run(context -> assertThat(context).hasSingleBean(MongoRecordStore.class));
    withDynamoDb(named)
        .run(context -> assertThat(context).hasSingleBean(DynamoDbRecordStore.class));
    withMongo(withDynamoDb(named))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("Say which: tidemark.executions.store"));
    withMongo(withDynamoDb(named))
        .withPropertyValues("tidemark.executions.store=mongodb")
        .run(context -> assertThat(context).hasSingleBean(MongoRecordStore.class));
    named.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("there is no client of its store"));
  }

  @Test
  @DisplayName("give executions of a scope, which tell listeners and are set up by customizers")
  void executions() {
    List<String> told = new ArrayList<>();
    withMongo(runner)
        .withPropertyValues(
            "tidemark.executions.table=" + Servers.fresh("keys"), "tidemark.executions.scope=mails")
        .withBean(ExecutionsCustomizer.class, () -> (scope, builder) -> told.add(scope))
        .withBean(ExecutionListener.class, () -> event -> told.add(event.kind().name()))
        .run(
            context -> {
              Executions executions = context.getBean(Executions.class);
              AtomicInteger effects = new AtomicInteger();
              for (int i = 0; i < 2; i++) {
                var unused =
                    executions.run("k", "request", Integer.class, s -> effects.incrementAndGet());
              }
              assertThat(effects).hasValue(1);
              assertThat(told).contains("mails", "REPLAYED");
            });
  }

  /** A second of each: for the notes of a cluster, of another scope, of another subscriber. */
  @Configuration(proxyBeanMethods = false)
  static class Others {
    @Bean
    RecordStore marks(MongoClient client) {
      return MongoRecordStore.of(client.getDatabase("records").getCollection("marks"));
    }

    @Bean
    Executions refunds(@Qualifier("marks") RecordStore records) {
      return Executions.of("refunds", records);
    }

    @Bean
    MongoInbox shipping(MongoClient client) {
      return MongoInbox.of(client, client.getDatabase("records"), "inbox", "shipping");
    }

    @Bean
    DynamoDbInbox shippingOnDynamoDb(DynamoDbClient client) {
      return DynamoDbInbox.of(client, "inbox", "shipping");
    }
  }

  record Mails(Executions executions) {}

  @Test
  @DisplayName(
      "are those of the properties beside others of their type, so that nothing is done again")
  void besideOthers() {
    ApplicationContextRunner mails =
        withMongo(withDynamoDb(runner))
            .withPropertyValues(
                "tidemark.executions.table=" + Servers.fresh("keys"),
                "tidemark.executions.store=mongodb",
                "tidemark.executions.scope=mails",
                "tidemark.inbox.table=inbox",
                "tidemark.inbox.subscriber=mails");
    AtomicInteger effects = new AtomicInteger();
    for (Class<?> beans : List.of(RecordsTest.class, Others.class)) {
      ApplicationContextRunner started =
          beans == Others.class ? mails.withUserConfiguration(beans) : mails;
      started.run(
          context -> {
            Executions executions = context.getBean("tidemarkExecutions", Executions.class);
            assertThat(executions.scope()).isEqualTo("mails");
            var unused =
                executions.run("k", "request", Integer.class, s -> effects.incrementAndGet());
          });
    }
    assertThat(effects).hasValue(1);
    mails
        .withUserConfiguration(Others.class)
        .run(
            context -> {
              assertThat(context.getBeansOfType(Executions.class)).hasSize(2);
              assertThat(context.getBeansOfType(RecordStore.class)).hasSize(2);
              assertThat(context.getBeansOfType(MongoInbox.class)).hasSize(2);
              assertThat(context.getBeansOfType(DynamoDbInbox.class)).hasSize(2);
            });
    mails
        .withUserConfiguration(Others.class)
        .withBean(Mails.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class)
                    .rootCause()
                    .hasMessageContaining("refunds")
                    .hasMessageContaining("tidemarkExecutions"));
  }

  @Test
  @DisplayName("give way to beans of their own names")
  void ownNames() {
    Executions own = Executions.of("own", records("own"));
    withMongo(runner)
        .withPropertyValues("tidemark.executions.table=keys", "tidemark.executions.scope=mails")
        .withBean("tidemarkExecutions", Executions.class, () -> own)
        .withBean("tidemarkRecordStore", RecordStore.class, () -> records("own"))
        .run(
            context -> {
              assertThat(context).hasSingleBean(RecordStore.class);
              assertThat(context.getBean(Executions.class)).isSameAs(own);
            });
  }

  private static RecordStore records(String collection) {
    return MongoRecordStore.of(Servers.mongo().getDatabase("records").getCollection(collection));
  }

  @Test
  @DisplayName(
      "are the application's own for a scope where no property names a table, or are missed")
  void scopeWithoutTable() {
    ApplicationContextRunner scoped =
        withMongo(runner).withPropertyValues("tidemark.executions.scope=mails");
    scoped
        .withBean("marks", RecordStore.class, () -> records("own"))
        .run(context -> assertThat(context).hasSingleBean(Executions.class));
    scoped.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("Set tidemark.executions.table, or make such a bean."));
  }

  @Test
  @DisplayName("give executions that store dates and optional values")
  void dates() {
    Receipt receipt = new Receipt(Instant.EPOCH, LocalDate.EPOCH, Optional.of("paid"));
    withMongo(runner)
        .withPropertyValues(
            "tidemark.executions.table=" + Servers.fresh("keys"), "tidemark.executions.scope=mails")
        .run(
            context -> {
              Executions executions = context.getBean(Executions.class);
              assertThat(executions.run("k", receipt, Receipt.class, s -> receipt))
                  .isEqualTo(new Execution.Executed<>(receipt));
              assertThat(executions.run("k", receipt, Receipt.class, s -> receipt))
                  .isEqualTo(new Execution.Replayed<>(receipt));
            });
  }

  record Receipt(Instant at, LocalDate due, Optional<String> note) {}

  @Test
  @DisplayName("need Jackson 2, and executions say so where Spring Boot has Jackson 3 alone")
  void withoutJackson() {
    withMongo(runner)
        .withPropertyValues("tidemark.executions.table=keys", "tidemark.executions.scope=mails")
        .withClassLoader(new FilteredClassLoader(ObjectMapper.class))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("Add com.fasterxml.jackson.core:jackson-databind"));
  }

  @Test
  @DisplayName("give an inbox of each store that there is a client of")
  void inboxes() {
    ApplicationContextRunner both = withMongo(withDynamoDb(runner));
    both.withPropertyValues("tidemark.inbox.table=inbox", "tidemark.inbox.subscriber=mails")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(MongoInbox.class)
                    .hasSingleBean(DynamoDbInbox.class));
    runner
        .withConfiguration(AutoConfigurations.of(MongoAutoConfiguration.class))
        .withPropertyValues(
            "spring.mongodb.uri=" + Servers.mongoUri(),
            "tidemark.inbox.table=inbox",
            "tidemark.inbox.subscriber=mails")
        .run(context -> assertThat(context).hasSingleBean(MongoInbox.class)); // of Boot's client
    both.withPropertyValues("tidemark.inbox.table=inbox")
        .run(
            context ->
                assertThat(catchThrowable(() -> context.getBean(MongoInbox.class)))
                    .rootCause()
                    .hasMessageContaining("tidemark.inbox.subscriber is missing"));
  }
}
