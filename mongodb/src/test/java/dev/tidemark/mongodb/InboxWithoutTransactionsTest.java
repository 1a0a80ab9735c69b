package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.MessageId;
import dev.tidemark.servers.MongoProcess;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Where a handler's writes could not be one transaction")
final class InboxWithoutTransactionsTest {
  private int runs;

  @Test
  @DisplayName("an inbox refuses a standalone server by name, before anything is written")
  void standalone() {
    try (MongoProcess alone = MongoServers.start(0);
        MongoClient client = MongoClients.create(alone.direct(0))) {
      MongoInbox none = MongoInbox.of(client, client.getDatabase("inbox"), "inbox", "billing");
      IllegalStateException fault =
          assertThrows(
              IllegalStateException.class,
              () ->
                  none.handle(
                      MessageId.of("m"),
                      all -> {
                        runs++;
                        return "never";
                      }));
      assertTrue(String.valueOf(fault.getMessage()).contains("standalone"), fault::toString);
      assertEquals(0, runs);
    }
  }

  @Test
  @DisplayName("an inbox gives handlers nothing that reaches past the transaction")
  void sealedView() {
    for (Class<?> type : List.of(SessionDatabase.class, SessionCollection.class)) {
      for (Method method : type.getDeclaredMethods()) {
        String gives = method.getReturnType().getName();
        assertFalse(
            gives.contains("MongoCollection")
                || gives.contains("MongoDatabase")
                || gives.contains("ClientSession"),
            method::toString);
        assertTrue(
            Arrays.stream(method.getParameterTypes())
                .noneMatch(given -> given.getName().contains("ClientSession")),
            method::toString);
      }
    }
  }
}
