package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

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
