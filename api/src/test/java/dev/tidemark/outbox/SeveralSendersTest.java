package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.OutgoingMessage;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A sender by several senders")
class SeveralSendersTest {
  private final RelayScene.Broker one = new RelayScene.Broker();
  private final RelayScene.Broker two = new RelayScene.Broker();

  private static List<OutboxMessage> messages(String... ids) {
    return Stream.of(ids)
        .map(id -> new OutboxMessage(id, Instant.EPOCH, OutgoingMessage.to("t", id)))
        .toList();
  }

  @Test
  @DisplayName("counts a message as sent once all of them have it, and gives all of them all")
  void all() throws InterruptedException {
    one.refuses.add("b");
    two.refuses.add("c");
    List<Sent> answers = Sender.all(List.of(one, two)).send(messages("a", "b", "c", "d"));
    assertInstanceOf(Sent.Taken.class, answers.get(0));
    assertInstanceOf(Sent.Failed.class, answers.get(1));
    assertInstanceOf(Sent.Failed.class, answers.get(2));
    assertInstanceOf(Sent.Taken.class, answers.get(3));
    assertEquals(List.of("a", "c", "d"), one.taken);
    assertEquals(List.of("a", "b", "d"), two.taken);
  }

  @Test
  @DisplayName("takes no answer for sent that is not there")
  void tooFew() {
    Sender few = messages -> List.of(Sent.taken());
    assertThrows(
        IllegalStateException.class,
        () -> List.of(Sender.all(List.of(one, few)).send(messages("a", "b"))));
    assertThrows(IllegalArgumentException.class, () -> List.of(Sender.all(List.of())));
  }
}
