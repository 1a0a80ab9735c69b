package dev.tidemark.spring.slice;

import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.Servers;
import dev.tidemark.spring.TidemarkTest;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@TidemarkTest(
    properties = {
      "tidemark.executions.table=keys",
      "tidemark.executions.store=dynamodb",
      "tidemark.executions.scope=payments",
      "tidemark.inbox.table=handled",
      "tidemark.inbox.subscriber=payments"
    })
@Import({Projectors.class, StatementProjectors.class, Clients.class})
@DisplayName("A test of an application's stores")
class TidemarkTestTest {
  private final String account = UUID.randomUUID().toString();
  private final Delivery payment =
      Delivery.of(MessageId.of(UUID.randomUUID().toString()), new Paid(account, 25));

  @DynamicPropertySource
  static void mongo(DynamicPropertyRegistry properties) {
    properties.add("spring.mongodb.uri", Servers::mongoUri);
    properties.add("spring.mongodb.database", () -> "slice");
  }

  @Test
  @DisplayName("has them, with their tables, and DynamoDB Local in place of production")
  void dynamoDb(
      @Autowired Projector<Account> view,
      @Autowired EntityStore<Account> accounts,
      @Autowired @Qualifier("archive") DynamoDbClient archive,
      @Autowired DynamoDbAsyncClient asynchronous) {
    assertThat(view.handle(payment)).isInstanceOf(Outcome.Applied.class);
    assertThat(view.handle(payment)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(accounts.find(key(account))).get().extracting(Account::getCents).isEqualTo(25L);
    assertThat(archive.listTables().tableNames()).contains("accounts");
    assertThat(asynchronous.listTables().join().tableNames()).contains("accounts");
  }

  @Test
  @DisplayName("has MongoDB where the settings say")
  void mongoDb(@Autowired Projector<Statement> view, @Autowired EntityStore<Statement> statements) {
    assertThat(view.handle(payment)).isInstanceOf(Outcome.Applied.class);
    assertThat(view.handle(payment)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(statements.find(key(account))).get().extracting(Statement::cents).isEqualTo(25L);
  }

  @Test
  @DisplayName("has idempotency keys and an inbox, with their tables")
  void records(
      @Autowired Executions payments,
      @Autowired DynamoDbInbox inbox,
      @Autowired DynamoDbClient client) {
    Execution<String> first = payments.run(account, null, String.class, steps -> "paid");
    Execution<String> again = payments.run(account, null, String.class, steps -> "paid twice");
    assertThat(first).isEqualTo(new Execution.Executed<>("paid"));
    assertThat(again).isEqualTo(new Execution.Replayed<>("paid"));
    assertThat(inbox).isNotNull();
    assertThat(client.listTables().tableNames()).contains("keys", "handled");
  }

  @Test
  @DisplayName("has no other component of the application")
  void components(@Autowired ApplicationContext context) {
    assertThat(context.getBeansOfType(Carrier.class)).isEmpty();
  }
}
