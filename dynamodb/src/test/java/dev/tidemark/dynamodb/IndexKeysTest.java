package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("A value that DynamoDB cannot store is a fault of the change, which no retry mends")
final class IndexKeysTest {
  private static final String TABLE = "t-" + UUID.randomUUID();
  private static DynamoDbClient client;
  private static DynamoDbEntityStore<View> views;

  private final EntityKey key = key(UUID.randomUUID().toString());

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    var unused =
        client.createTable(
            r ->
                r.tableName(TABLE)
                    .keySchema(hash("id"))
                    .attributeDefinitions(text("id"), text("status"))
                    .globalSecondaryIndexes(
                        GlobalSecondaryIndex.builder()
                            .indexName("byStatus")
                            .keySchema(hash("status"))
                            .projection(p -> p.projectionType(ProjectionType.ALL))
                            .build())
                    .billingMode(BillingMode.PAY_PER_REQUEST));
    views =
        DynamoDbEntityStore.builder(client, TABLE, DynamoDbBackend.schema(false))
            .unmappedAttributes()
            .build();
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static KeySchemaElement hash(String name) {
    return KeySchemaElement.builder().attributeName(name).keyType(KeyType.HASH).build();
  }

  private static AttributeDefinition text(String name) {
    return AttributeDefinition.builder()
        .attributeName(name)
        .attributeType(ScalarAttributeType.S)
        .build();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of("an empty index key", change().set("status", "")),
        Arguments.of("a path of 33 names", change().set(deep(), "secret")));
  }

  private static Path deep() {
    return new Path(Collections.nCopies(33, "a"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  @DisplayName("whether it creates the entity, changes it, or is one of a batch")
  void wrong(String what, Change wrong) {
    refused(wrong.createIfMissing());
    assertTrue(views.find(key).isEmpty(), what);
    assertTrue(
        views
            .update(message(), key, change().createIfMissing().set("status", "PLACED"))
            .isApplied());
    refused(wrong);
    Write<View> bad = Write.update(message(), key, wrong);
    Write<View> good = Write.update(message(), key, change().add("total", 1));
    List<Result<View>> results = views.writeAll(List.of(bad, good));
    Result.Failed<View> failed = (Result.Failed<View>) results.get(0);
    assertEquals(InvalidChangeException.class, failed.fault().getClass());
    assertTrue(results.get(1).isDone());
    assertEquals(1L, views.find(key).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("a function's too")
  void function() {
    InvalidChangeException fault =
        assertThrows(
            InvalidChangeException.class,
            () ->
                views.apply(
                    message(),
                    key,
                    View::new,
                    view -> {
                      view.setStatus("");
                      return view;
                    }));
    assertEquals(key, fault.key().orElseThrow());
  }

  private void refused(Change wrong) {
    InvalidChangeException fault =
        assertThrows(InvalidChangeException.class, () -> views.update(message(), key, wrong));
    assertFalse(fault.isRetryable());
    assertFalse(String.valueOf(fault.getMessage()).contains("secret"));
  }
}
