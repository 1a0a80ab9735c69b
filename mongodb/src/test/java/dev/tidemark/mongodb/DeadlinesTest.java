package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A call sends no command after three deadlines")
final class DeadlinesTest {
  private final Deadlines deadlines = new Deadlines();
  private final RuntimeException late = new MongoOperationTimeoutException("out of time");
  private int sent;

  private void fails(RuntimeException e) {
    Supplier<String> command =
        () -> {
          sent++;
          throw e;
        };
    assertSame(e, assertThrows(RuntimeException.class, () -> deadlines.within(command)));
  }

  private String answer() {
    return deadlines.within(
        () -> {
          sent++;
          return "answer";
        });
  }

  @Test
  @DisplayName("one after the other, and fails each as the third did")
  void third() {
    fails(late);
    fails(late);
    fails(late);
    assertSame(late, assertThrows(RuntimeException.class, this::answer));
    assertSame(late, assertThrows(RuntimeException.class, this::answer));
    assertEquals(3, sent);
  }

  @Test
  @DisplayName("though its connection broke in between, which is no sign of the server")
  void broken() {
    fails(late);
    fails(late);
    fails(new MongoSocketReadException("broken", new ServerAddress()));
    fails(late);
    assertSame(late, assertThrows(RuntimeException.class, this::answer));
  }

  @Test
  @DisplayName("unless the server has answered in between")
  void answered() {
    fails(late);
    fails(late);
    assertEquals("answer", answer());
    fails(late);
    fails(late);
    BsonDocument refusal = BsonDocument.parse("{ok: 0, code: 112, codeName: 'WriteConflict'}");
    fails(new MongoCommandException(refusal, new ServerAddress()));
    fails(late);
    fails(late);
    assertEquals("answer", answer());
  }
}
