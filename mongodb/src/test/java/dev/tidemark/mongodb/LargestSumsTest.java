package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sum that the property's class does not hold is refused, and nothing is written")
final class LargestSumsTest {
  /** Numbers of every class that has a highest one. */
  public record Numbers(
      String id,
      @Nullable Byte small,
      @Nullable Short shorter,
      @Nullable Integer whole,
      @Nullable Long large,
      @Nullable AtomicInteger counter,
      @Nullable AtomicLong counted,
      @Nullable Float binary) {}

  private static final Map<String, Number> MOST =
      Map.of(
          "small", Byte.MAX_VALUE,
          "shorter", Short.MAX_VALUE,
          "whole", Integer.MAX_VALUE,
          "large", Long.MAX_VALUE,
          "counter", Integer.MAX_VALUE,
          "counted", Long.MAX_VALUE,
          "binary", Float.MAX_VALUE);

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Numbers> numbers =
      fixture.client.getDatabase("tests").getCollection("n" + UUID.randomUUID(), Numbers.class);
  private final MongoEntityStore<Numbers> store = MongoEntityStore.of(numbers);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Number lower(Number most) {
    return most instanceof Float ? (Number) (-most.floatValue()) : (Number) (-most.longValue() - 1);
  }

  private static Change add(String name, Number amount) {
    return change().add(name, amount).createIfMissing();
  }

  /** Adds what is within the class, then what leads beyond it, in every way. */
  private void assertBound(String name, Number most, Number further) {
    EntityKey key = MongoFixture.key();
    assertTrue(store.update(message(), key, add(name, most)).isApplied(), name);
    String before = store.find(key).orElseThrow().toString();
    assertThrows(
        InvalidChangeException.class,
        () -> store.update(message(), key, change().add(name, further)),
        name);
    Write<Numbers> write = Write.update(message(), key, add(name, further));
    Result<Numbers> result = store.writeAll(List.of(write)).get(0);
    assertInstanceOf(
        InvalidChangeException.class, assertInstanceOf(Result.Failed.class, result).fault(), name);
    assertEquals(before, store.find(key).orElseThrow().toString());
    assertTrue(store.update(message(), key, change().add(name, lower(further))).isApplied(), name);
  }

  @Test
  @DisplayName("of whole numbers, atomic ones too, and of floats, at both ends")
  void bounds() {
    MOST.forEach(
        (name, most) -> {
          boolean binary = most instanceof Float;
          assertBound(name, most, binary ? most : Integer.valueOf(1));
          assertBound(name, lower(most), binary ? lower(most) : Integer.valueOf(-1));
        });
  }
}
