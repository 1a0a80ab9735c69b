package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkNumber;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("Values of less usual classes are what they are everywhere")
final class ValueClassesTest {
  /** An entity that is found by bytes. */
  static final class Blob {
    private byte @Nullable [] id;
    private @Nullable AtomicLong sum;
    private @Nullable AtomicInteger hits;
    private @Nullable Integer count;
    private @Nullable Set<SdkBytes> parts;
  }

  /** Of bytes as they are. */
  private static final class Bytes implements AttributeConverter<byte[]> {
    @Override
    public AttributeValue transformFrom(byte[] value) {
      return AttributeValue.fromB(SdkBytes.fromByteArray(value));
    }

    @Override
    public byte[] transformTo(AttributeValue value) {
      return value.b().asByteArray();
    }

    @Override
    public EnhancedType<byte[]> type() {
      return EnhancedType.of(byte[].class);
    }

    @Override
    public AttributeValueType attributeValueType() {
      return AttributeValueType.B;
    }
  }

  private static final TableSchema<Blob> SCHEMA =
      TableSchema.builder(Blob.class)
          .newItemSupplier(Blob::new)
          .addAttribute(
              byte[].class,
              a ->
                  a.name("id")
                      .getter(blob -> blob.id)
                      .setter((blob, id) -> blob.id = id)
                      .attributeConverter(new Bytes())
                      .tags(StaticAttributeTags.primaryPartitionKey()))
          .addAttribute(
              AtomicLong.class,
              a -> a.name("sum").getter(blob -> blob.sum).setter((blob, sum) -> blob.sum = sum))
          .addAttribute(
              AtomicInteger.class,
              a ->
                  a.name("hits").getter(blob -> blob.hits).setter((blob, hits) -> blob.hits = hits))
          .addAttribute(
              Integer.class,
              a ->
                  a.name("count")
                      .getter(blob -> blob.count)
                      .setter((blob, count) -> blob.count = count))
          .addAttribute(
              EnhancedType.setOf(SdkBytes.class),
              a ->
                  a.name("parts")
                      .getter(blob -> blob.parts)
                      .setter((blob, parts) -> blob.parts = parts))
          .build();

  private static final DynamoDbClient CLIENT = DynamoDbTables.client();
  private static final String TABLE = DynamoDbTables.create(CLIENT, SCHEMA);

  private final DynamoDbEntityStore<Blob> store =
      DynamoDbEntityStore.builder(CLIENT, TABLE, SCHEMA).tracking(Tracking.defaults()).build();
  private final byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("bytes of one key are one entity of a batch, by a converter of their own, too")
  void keys() {
    Change counted = change().createIfMissing().add("sum", 1);
    List<Result<Blob>> results =
        store.writeAll(
            List.of(
                Write.update(SourceEvent.of("O", "1", 2), key(id), counted),
                Write.update(SourceEvent.of("O", "1", 1), key(id.clone()), counted)));
    results.forEach(result -> assertTrue(result.outcomeIfJudged().orElseThrow().isApplied()));
    AtomicLong sum = store.find(key(id.clone())).orElseThrow().sum;
    assertEquals(2, sum == null ? 0 : sum.get());
  }

  @Test
  @DisplayName("a sum that no atomic number holds is refused before it is stored")
  void sums() {
    Change add = change().add("sum", Long.MAX_VALUE);
    store.update(message(), key(id), add.createIfMissing());
    assertThrows(InvalidChangeException.class, () -> store.update(message(), key(id), add));
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(message(), key(id), change().set("sum", 1E30)));
    AtomicLong sum = store.find(key(id)).orElseThrow().sum;
    assertEquals(Long.MAX_VALUE, sum == null ? 0 : sum.get());
    store.update(message(), key(id), change().set("count", Integer.MAX_VALUE));
    for (Number one : List.of(1, BigInteger.ONE, BigDecimal.ONE, SdkNumber.fromInteger(1))) {
      for (String full : List.of("sum", "count")) {
        assertThrows(
            InvalidChangeException.class,
            () -> store.update(message(), key(id), change().add(full, one)));
      }
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(message(), key(id), change().add("count", new BigDecimal("0.5"))));
    assertEquals(Integer.MAX_VALUE, store.find(key(id)).orElseThrow().count);
  }

  @Test
  @DisplayName("bytes are elements of a set of the SDK's bytes")
  void elements() {
    byte[] part = {1, 2};
    store.update(message(), key(id), change().createIfMissing().addToSet("parts", part));
    assertEquals(Set.of(SdkBytes.fromByteArray(part)), store.find(key(id)).orElseThrow().parts);
    assertInstanceOf(
        Outcome.Recorded.class,
        store.update(
            message(), key(id), change().onlyIf(attribute("parts").contains(part.clone()))));
    store.update(message(), key(id), change().removeFromSet("parts", SdkBytes.fromByteArray(part)));
    assertEquals(null, store.find(key(id)).orElseThrow().parts);
  }

  @Test
  @DisplayName("atomic integers are set, added to and compared as numbers")
  void atomicIntegers() {
    Change set = change().set("hits", 3).createIfMissing();
    assertTrue(store.update(message(), key(id), set).isApplied());
    Change add = change().add("hits", 4).onlyIf(attribute("hits").is(3));
    assertTrue(store.update(message(), key(id), add).isApplied());
    AtomicInteger hits = store.find(key(id)).orElseThrow().hits;
    assertEquals(7, hits == null ? 0 : hits.get());
    assertThrows(
        InvalidChangeException.class,
        () -> store.update(message(), key(id), change().add("hits", Integer.MAX_VALUE)));
  }
}
