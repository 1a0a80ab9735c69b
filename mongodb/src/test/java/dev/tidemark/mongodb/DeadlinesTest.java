package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import java.util.function.Supplier;
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
  @DisplayName("and fails each as the third did")
  void third() {
    fails(late);
    fails(late);
    fails(late);
    assertSame(late, assertThrows(RuntimeException.class, this::answer));
    assertSame(late, assertThrows(RuntimeException.class, this::answer));
    assertEquals(3, sent);
  }

  @Test
  @DisplayName("also where it was answered in between, since whoever waits for the call is not")
  void answered() {
    fails(late);
    assertEquals("answer", answer());
    fails(late);
    assertEquals("answer", answer());
    fails(late);
    assertSame(late, assertThrows(RuntimeException.class, this::answer));
  }

  @Test
  @DisplayName("and counts no error of another kind")
  void others() {
    RuntimeException broken = new MongoSocketReadException("broken", new ServerAddress());
    fails(late);
    fails(late);
    fails(broken);
    fails(broken);
    assertEquals("answer", answer());
  }
}
