package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Tracking.AttributeNames;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("Tracking")
class TrackingTest {
  static class Plain {}

  @Tracked
  static class Defaults {}

  @Tracked(
      messageIds = @MessageIds(last = 50, compact = true),
      events = {
        @Events(EventPolicy.Kind.CONTIGUOUS),
        @Events(type = "Stock", value = EventPolicy.Kind.DENSE_WINDOW, size = 9, startingAt = 0),
        @Events(type = "Topic", value = EventPolicy.Kind.SPARSE_WINDOW, size = 7)
      })
  static class Full {}

  @Tracked(messageIds = @MessageIds(last = 5, forEver = true))
  static class TwoWays {}

  @Tracked(messageIds = @MessageIds(keptFor = "30 days"))
  static class NoDuration {}

  @Tracked(events = @Events(value = EventPolicy.Kind.DROP_LATE, size = 5))
  static class WindowOfNothing {}

  @Tracked(events = @Events(value = EventPolicy.Kind.DENSE_WINDOW))
  static class NoWindow {}

  @Test
  @DisplayName("of a class without annotation, or an empty one, is the default: 30 days, drop late")
  void defaults() {
    for (Class<?> type : new Class<?>[] {Plain.class, Defaults.class}) {
      Tracking tracking = Tracking.of(type);
      assertEquals(Duration.ofDays(30), tracking.messageIds().keptFor().orElseThrow());
      assertEquals(EventPolicy.Kind.DROP_LATE, tracking.events("Any").kind());
      assertEquals("", tracking.subscriber());
    }
  }

  @Test
  @DisplayName("is what the annotation says, by type of event")
  void annotated() {
    Tracking tracking = Tracking.of(Full.class);
    assertEquals(50, tracking.messageIds().last());
    assertTrue(tracking.messageIds().isCompact() && tracking.tracksDenseSources());
    assertEquals(EventPolicy.Kind.CONTIGUOUS, tracking.events("Any").kind());
    assertEquals(0, tracking.events("Stock").startingAt());
    assertEquals(7, tracking.events("Topic").size());
    assertEquals("search", tracking.as("search").subscriber());
  }

  private static void refused(String said, Executable making) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, making).getMessage());
    assertTrue(message.contains(said), message);
  }

  @Test
  @DisplayName("is refused with the class's name where the annotation contradicts itself")
  void contradictions() {
    refused(
        "TwoWays: messageIds sets more than one of keptFor, last and forEver",
        () -> Tracking.of(TwoWays.class));
    refused("NoDuration", () -> Tracking.of(NoDuration.class));
    refused("WindowOfNothing: size", () -> Tracking.of(WindowOfNothing.class));
    refused("NoWindow: the size of a window must be 1", () -> Tracking.of(NoWindow.class));
  }

  @Test
  @DisplayName("states its bounds, with the value that is out of them")
  void bounds() {
    refused("was PT0S", () -> IdPolicy.keptFor(Duration.ZERO));
    refused("was 0", () -> IdPolicy.last(0));
    refused("was 10001", () -> EventPolicy.denseWindow(10_001));
    refused("was PT25H", () -> IdPolicy.forEver().maxSkew(Duration.ofHours(25)));
    refused("was 0", () -> Tracking.defaults().maxSources(0));
    refused("was PT0S", () -> Tracking.defaults().tombstonesKeptFor(Duration.ZERO));
    refused("subscriber", () -> Tracking.defaults().as(""));
    refused("was 'a.b'", () -> new AttributeNames("a.b", "e", "r", "b", "t", "_outbox"));
    refused("differ", () -> new AttributeNames("a", "a", "r", "b", "t", "_outbox"));
    assertThrows(IllegalStateException.class, () -> EventPolicy.dropLate().givingUpHoles());
    assertThrows(IllegalStateException.class, () -> EventPolicy.sparseWindow(3).startingAt(2));
  }
}
