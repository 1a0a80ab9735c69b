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
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
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
