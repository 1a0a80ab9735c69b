package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request says whether its reply has to tell the marks")
final class LooksTest {
  private static final Message EVENT = SourceEvent.of(Source.of("Order", "1"), Position.of(1));
  private static final Tracking FEW = Tracking.defaults().maxSources(127);

  private static Request<Object> request(Message message, Tracking tracking, long number) {
    ByteBuffer token = ByteBuffer.allocate(16).putLong(0).putLong(number).flip();
    EntityKey key = EntityKey.key("k");
    Names names = Names.flat(tracking);
    Marking marking = new Marking(List.of(message), key, tracking, names, Instant.EPOCH, token);
    return new Request<>(marking, null, new Effect.Removal<>());
  }

  private static long looks(int sources) {
    Tracking tracking = Tracking.defaults().maxSources(sources);
    return LongStream.range(-800, 800)
        .filter(i -> request(EVENT, tracking, i).countsSources())
        .count();
  }

  @Test
  @DisplayName("every write looks where at most 127 sources are allowed, else one in 2 to 16")
  void share() {
    assertEquals(1_600, looks(1));
    assertEquals(1_600, looks(127));
    assertEquals(800, looks(128));
    assertEquals(100, looks(1_024));
    assertEquals(100, looks(100_000));
  }

  @Test
  @DisplayName("message IDs bring no source, and need none of the marks")
  void ids() {
    assertFalse(request(MessageId.of("m"), FEW, 0).tells());
    assertTrue(request(EVENT, FEW, 0).tells());
  }

  @Test
  @DisplayName("windows have to be told, whether the write looks or not")
  void windows() {
    Tracking plain = Tracking.defaults();
    Tracking windows = plain.events(EventPolicy.denseWindow(5));
    assertFalse(request(EVENT, plain, 1).tells());
    assertTrue(request(EVENT, windows, 1).tells());
    assertFalse(request(EVENT, windows, 1).countsSources());
  }
}
