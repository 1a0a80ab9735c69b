package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.enhanced.dynamodb.mapper.BeanTableSchemaParams;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("A schema whose names are open does not write what tracking owns")
final class OpenNamesTest {
  private static final TableSchema<OpenRow> ROWS =
      TableSchema.fromBean(
          BeanTableSchemaParams.builder(OpenRow.class).lookup(MethodHandles.lookup()).build());
  private static final TableSchema<EnhancedDocument> DOCUMENTS =
      TableSchema.documentSchemaBuilder()
          .addIndexPartitionKey(TableMetadata.primaryIndexName(), "id", AttributeValueType.S)
          .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
          .build();

  private static final List<String> NAMES =
      List.of(
          "_rev",
          "_born",
          "messageIDs",
          "messageIDs@search",
          "messageIDs#1",
          "events.Order.1",
          "events@search.Order.1",
          "deletedUntil",
          "_outbox",
          "_outbox#due");

  private static DynamoDbClient client;
  private static DynamoDbAsyncClient asyncClient;
  private static String table;
  private static DynamoDbEntityStore<OpenRow> rows;
  private static DynamoDbEntityStore<EnhancedDocument> documents;
  private static DynamoDbTable<OpenRow> extended;

  private final String id = UUID.randomUUID().toString();
  private final EntityKey key = key(id);
  private final MessageId first = message();

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    asyncClient = DynamoDbTables.asyncClient(NettyNioAsyncHttpClient.create());
    table = DynamoDbTables.create(client, ROWS);
    rows = DynamoDbEntityStore.of(client, table, ROWS);
    documents = DynamoDbEntityStore.of(client, table, DOCUMENTS);
    extended =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(TidemarkExtension.create())
            .build()
            .table(table, ROWS);
  }

  @AfterAll
  static void close() {
    client.close();
    asyncClient.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private Map<String, AttributeValue> item() {
    return client
        .getItem(r -> r.tableName(table).key(Map.of("id", AttributeValue.fromS(id))))
        .item();
  }

  private void create() {
    documents.update(first, key, change().set("n", 1).createIfMissing());
    documents.update(SourceEvent.of("Order", "1", 7), key, change().add("n", 1));
  }

  private static void assertRefused(String name, Executable write) {
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, write);
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.contains("'" + name + "'") && said.contains("racking"), said);
  }

  /** Whatever a write does that puts a name there, and that the name is refused. */
  private void assertUntouched(String name, Executable write) {
    Map<String, AttributeValue> before = item();
    assertRefused(name, write);
    assertEquals(before, item(), name);
  }

  private static EnhancedDocument with(EnhancedDocument document, String name) {
    return document.toBuilder().putString(name, "mine").build();
  }

  @Test
  @DisplayName("by a function, of an entity that is there")
  void functions() {
    NAMES.forEach(name -> new OpenNamesTest().functions(name));
  }

  private void functions(String name) {
    create();
    assertUntouched(name, () -> documents.apply(message(), key, d -> with(d, name)));
    assertUntouched(name, () -> rows.apply(message(), key, row -> row.with(name, "mine")));
    assertUntouched(
        name, () -> documents.write(Write.decide(message(), key, d -> Decision.to(with(d, name)))));
    assertTrue(documents.apply(message(), key, d -> with(d, "free")).isApplied());
  }

  @Test
  @DisplayName("by a function that creates, or by what it begins with")
  void creates() {
    NAMES.forEach(name -> new OpenNamesTest().creates(name));
  }

  private void creates(String name) {
    EnhancedDocument empty =
        EnhancedDocument.builder()
            .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
            .build();
    assertUntouched(name, () -> documents.apply(message(), key, () -> empty, d -> with(d, name)));
    assertUntouched(name, () -> documents.apply(message(), key, () -> with(empty, name), d -> d));
    assertUntouched(
        name, () -> rows.apply(message(), key, () -> OpenRow.of(id).with(name, "mine"), r -> r));
  }

  @Test
  @DisplayName("in a batch, of which the others go on, on either client")
  void batches() {
    NAMES.forEach(name -> new OpenNamesTest().batches(name));
  }

  private void batches(String name) {
    create();
    List<Write<EnhancedDocument>> writes =
        List.of(
            Write.apply(message(), key, d -> with(d, name)),
            Write.apply(message(), key, d -> with(d, "free")));
    assertBatch(documents.writeAll(writes));
    DynamoDbAsyncEntityStore<EnhancedDocument> async =
        DynamoDbAsyncEntityStore.of(asyncClient, table, DOCUMENTS);
    assertBatch(
        async
            .writeAll(
                List.of(
                    Write.apply(message(), key, d -> with(d, name)),
                    Write.apply(message(), key, d -> with(d, "more"))))
            .join());
    assertRefused(
        name,
        () -> {
          try {
            async.apply(message(), key, d -> with(d, name)).join();
          } catch (CompletionException e) {
            throw e.getCause();
          }
        });
  }

  private static void assertBatch(List<Result<EnhancedDocument>> results) {
    Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, results.get(0));
    assertInstanceOf(IllegalArgumentException.class, failed.fault());
    assertTrue(results.get(1).isDone(), results::toString);
  }

  @Test
  @DisplayName("nor is a condition taken that asks for it")
  void conditions() {
    create();
    for (String name : NAMES) {
      Change asking = change().set("n", 2).onlyIf(attribute(Path.of(name)).exists());
      assertThrows(IllegalArgumentException.class, () -> rows.update(message(), key, asking), name);
      assertThrows(
          IllegalArgumentException.class, () -> documents.update(message(), key, asking), name);
    }
  }

  @Test
  @DisplayName("by a change, whichever way it names it")
  void changes() {
    NAMES.forEach(name -> new OpenNamesTest().changes(name));
  }

  private void changes(String name) {
    create();
    Path path = new Path(List.of(name));
    assertUntouched(name, () -> documents.update(message(), key, change().set(path, "x")));
    assertUntouched(name, () -> documents.update(message(), key, change().setIfAbsent(path, "x")));
    assertUntouched(name, () -> documents.update(message(), key, change().remove(path)));
    assertUntouched(name, () -> documents.update(message(), key, change().add(path, 1)));
    assertUntouched(name, () -> documents.update(message(), key, change().addToSet(path, "x")));
  }

  @Test
  @DisplayName("by an update in DynamoDB's words")
  void natives() {
    NAMES.forEach(name -> new OpenNamesTest().natives(name));
  }

  private void natives(String name) {
    create();
    for (String text : List.of("SET #x = :v", "REMOVE #x", "ADD #x :v", "SET n = :v, #x = :v")) {
      DynamoDbNativeUpdate update =
          DynamoDbNativeUpdate.of(text).name("#x", name).value(":v", 1).createIfMissing();
      assertUntouched(name, () -> documents.update(message(), key, update));
    }
    UpdateItemEnhancedRequest<EnhancedDocument> request =
        UpdateItemEnhancedRequest.builder(EnhancedDocument.class)
            .item(with(documents.find(key).orElseThrow(), name))
            .build();
    assertUntouched(name, () -> documents.update(message(), request));
  }

  @Test
  @DisplayName("by the Enhanced Client with the extension")
  void extension() {
    NAMES.forEach(name -> new OpenNamesTest().extension(name));
  }

  private void extension(String name) {
    OpenRow made = OpenRow.of(id).with("free", "x");
    extended.updateItem(made.processing(message()));
    OpenRow read = extended.getItem(made);
    assertUntouched(name, () -> extended.updateItem(read.with(name, "mine").processing(message())));
    assertUntouched(name, () -> extended.putItem(read.with(name, "mine")));
    OpenRow other = OpenRow.of(UUID.randomUUID().toString()).with(name, "mine");
    assertRefused(name, () -> extended.putItem(other));
  }

  @Test
  @DisplayName("and reads it as marks, not as the entity's own")
  void reads() {
    create();
    assertEquals(
        List.of("id", "n"),
        documents.find(key).orElseThrow().toMap().keySet().stream().sorted().toList());
    Tracking tracking = Tracking.defaults().as("search");
    DynamoDbEntityStore<EnhancedDocument> other =
        DynamoDbEntityStore.builder(client, table, DOCUMENTS).tracking(tracking).build();
    assertTrue(other.apply(first, key, d -> with(d, "free")).isApplied());
    assertTrue(other.apply(first, key, d -> with(d, "free")).isDone());
  }
}
