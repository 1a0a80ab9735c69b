package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The first call of a store whose collection is not there yet")
final class FirstCallTest {
  private static final Change COUNT = change().add("n", 1L);
  private static final List<BiFunction<MongoEntityStore<Document>, EntityKey, ?>> FIRST =
      List.of(
          (store, key) -> store.update(id(), key, COUNT),
          (store, key) -> store.update(id(), key, COUNT.createIfMissing()),
          (store, key) -> store.update(id(), key, Updates.inc("n", 1L)),
          (store, key) -> store.apply(id(), key, document -> document),
          (store, key) -> store.skip(id(), key),
          (store, key) -> store.delete(id(), key),
          (store, key) -> store.deleteExisting(id(), key),
          (store, key) -> store.forget(id(), key),
          (store, key) -> store.find(key),
          (store, key) ->
              store.writeAll(
                  List.of(
                      Write.update(id(), key, COUNT),
                      Write.update(id(), MongoFixture.key(), COUNT))),
          (store, key) ->
              store.writeAll(
                  List.of(
                      Write.delete(id(), key),
                      Write.apply(id(), MongoFixture.key(), Document::new, document -> document))));

  private final MongoFixture fixture = new MongoFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("leaves it able to go on, whatever it is and whatever the server can do")
  void goesOn() {
    for (BiFunction<MongoEntityStore<Document>, EntityKey, ?> first : FIRST) {
      MongoEntityStore<Document> store = MongoEntityStore.of(fixture.documents());
      assertTrue(first.apply(store, MongoFixture.key()).toString().length() > 0);
      EntityKey key = MongoFixture.key();
      assertTrue(store.update(id(), key, COUNT.createIfMissing()).isApplied());
      assertTrue(store.update(id(), key, COUNT).isApplied());
      assertEquals(2, store.find(key).orElseThrow().getLong("n"));
    }
  }
}
