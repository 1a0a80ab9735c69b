package dev.tidemark.example.orderhistory.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter.SseEventBuilder;

/** The streams of pages that watch one consumer. For any number of threads. */
final class Watch {
  private final List<SseEmitter> streams = new ArrayList<>();
  private final List<SseEmitter> fresh = new ArrayList<>();
  private ConsumerLook.@Nullable Seen last;
  private boolean unavailable;

  synchronized void add(SseEmitter stream) {
    fresh.add(stream);
    stream.onCompletion(() -> remove(stream));
    stream.onTimeout(stream::complete);
    stream.onError(fault -> remove(stream));
  }

  private synchronized void remove(SseEmitter stream) {
    streams.remove(stream);
    fresh.remove(stream);
  }

  synchronized int size() {
    return streams.size() + fresh.size();
  }

  /** Whether a page has not heard anything yet. */
  synchronized boolean isNew() {
    return !fresh.isEmpty();
  }

  /** Tells what is other than before, and new pages that they are heard. */
  synchronized void saw(ConsumerLook.Seen now) {
    ConsumerLook.Seen before = last;
    boolean changed = before == null || !now.equals(before) || unavailable;
    List<String> ids = before == null ? List.of() : now.changedSince(before);
    last = now;
    unavailable = false;
    if (changed) {
      send(streams, "changed", ids);
    }
    send(fresh, "changed", List.of());
    streams.addAll(fresh);
    fresh.clear();
  }

  /** Tells once that the store does not answer. */
  synchronized void sawNothing() {
    send(unavailable ? fresh : streams, "unavailable", List.of());
    if (!unavailable) {
      send(fresh, "unavailable", List.of());
    }
    streams.addAll(fresh);
    fresh.clear();
    unavailable = true;
  }

  /** Lets pages know that the service is there, and finds out whether they are. */
  synchronized void sign() {
    send(streams, "alive", List.of());
  }

  private void send(List<SseEmitter> to, String name, List<String> ids) {
    for (SseEmitter stream : List.copyOf(to)) {
      send(
          stream,
          SseEmitter.event().name(name).data(Map.of("orders", ids), MediaType.APPLICATION_JSON));
    }
  }

  private void send(SseEmitter stream, SseEventBuilder event) {
    try {
      stream.send(event);
    } catch (IOException | IllegalStateException e) { // the page has gone
      remove(stream);
    }
  }

  synchronized void complete() {
    List.copyOf(streams).forEach(SseEmitter::complete);
    List.copyOf(fresh).forEach(SseEmitter::complete);
  }
}
