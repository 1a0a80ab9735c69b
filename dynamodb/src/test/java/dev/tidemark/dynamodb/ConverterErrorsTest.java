package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("A converter that throws an Error fails the message that it was called for")
final class ConverterErrorsTest {
  /** Meets an Error of the class path where a text is "bad", or reads one that is "unreadable". */
  private static final class Fragile implements AttributeConverter<String> {
    private static void check(String text, String... wrong) {
      if (List.of(wrong).contains(text)) {
        throw new NoClassDefFoundError("some.Type");
      }
    }

    @Override
    public AttributeValue transformFrom(String text) {
      check(text, "bad");
      return AttributeValue.fromS(text);
    }

    @Override
    public String transformTo(AttributeValue value) {
      check(value.s(), "bad", "unreadable");
      if (value.s().equals("large")) {
        throw new OutOfMemoryError("on purpose");
      }
      return value.s();
    }

    @Override
    public EnhancedType<String> type() {
      return EnhancedType.of(String.class);
    }

    @Override
    public AttributeValueType attributeValueType() {
      return AttributeValueType.S;
    }
  }

  private static final TableSchema<View> SCHEMA =
      TableSchema.builder(View.class)
          .newItemSupplier(View::new)
          .addAttribute(
              String.class,
              a ->
                  a.name("id")
                      .getter(View::getId)
                      .setter(View::setId)
                      .attributeConverter(new Fragile())
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              String.class,
              a ->
                  a.name("note")
                      .getter(View::getNote)
                      .setter(View::setNote)
                      .attributeConverter(new Fragile()))
          .build();

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static View noted(View view, String note) {
    view.setNote(note);
    return view;
  }

  @Test
  @DisplayName("whether it reads, writes, or gives the form of a value, and the others go on")
  void errors() {
    try (DynamoDbClient client = DynamoDbTables.client()) {
      String table = DynamoDbTables.create(client, SCHEMA);
      DynamoDbEntityStore<View> store = DynamoDbEntityStore.of(client, table, SCHEMA);
      EntityKey fine = key(UUID.randomUUID().toString());
      String bad = UUID.randomUUID().toString();
      client.putItem(
          r ->
              r.tableName(table)
                  .item(
                      Map.of(
                          "id", AttributeValue.fromS(bad), "note", AttributeValue.fromS("bad"))));
      List<Result<View>> results =
          store.writeAll(
              List.of(
                  Write.apply(message(), key(bad), view -> noted(view, "x")),
                  Write.apply(message(), fine, View::new, view -> noted(view, "bad")),
                  Write.update(message(), fine, change().set("note", "bad")),
                  Write.apply(message(), fine, View::new, view -> noted(view, "good"))));
      assertInstanceOf(CorruptRecordException.class, fault(results.get(0)));
      assertInstanceOf(NoClassDefFoundError.class, fault(results.get(1)).getCause());
      assertInstanceOf(NoClassDefFoundError.class, fault(results.get(2)).getCause());
      assertTrue(results.get(3).isDone(), results::toString);
      assertEquals("good", store.find(fine).orElseThrow().getNote());
      assertThrows(CorruptRecordException.class, () -> store.find(key(bad)));
    }
  }

  @Test
  @DisplayName("of a key, too: the others are read in one request, and go on")
  void keys() {
    try (DynamoDbFaults http = DynamoDbTables.faults();
        DynamoDbClient client = DynamoDbTables.client(http, new DynamoDbTables.Capacity(), 1)) {
      String table = DynamoDbTables.create(client, SCHEMA);
      DynamoDbEntityStore<View> store = DynamoDbEntityStore.of(client, table, SCHEMA);
      int reads = http.reads();
      List<Boolean> done =
          store
              .writeAll(
                  Stream.of("one", "bad", "unreadable", "two")
                      .map(id -> Write.apply(message(), key(id), View::new, v -> noted(v, id)))
                      .toList())
              .stream()
              .map(Result::isDone)
              .toList();
      assertEquals(List.of(true, false, false, true), done);
      assertEquals(1, http.reads() - reads);
      Write<View> large = Write.apply(message(), key("large"), View::new, view -> view);
      assertThrows(OutOfMemoryError.class, () -> store.writeAll(List.of(large)));
    }
  }

  private static RuntimeException fault(Result<View> result) {
    return assertInstanceOf(Result.Failed.class, result).fault();
  }
}
