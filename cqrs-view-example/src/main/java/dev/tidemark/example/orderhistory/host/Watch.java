package dev.tidemark.example.orderhistory.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The streams of pages that watch one consumer. For any number of threads. */
final class Watch {
  private final List<PageStream> streams = new ArrayList<>();
  private final List<PageStream> fresh = new ArrayList<>();
  private ConsumerLook.@Nullable Seen last;
  private boolean unavailable;

  synchronized void add(SseEmitter stream) {
    PageStream page = new PageStream(stream);
    fresh.add(page);
    stream.onCompletion(() -> remove(page));
    stream.onTimeout(stream::complete);
    stream.onError(fault -> remove(page));
  }

  private synchronized void remove(PageStream stream) {
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

  /** Tells once that the store does not answer, and gives whether that is news. */
  synchronized boolean sawNothing() {
    boolean isNews = !unavailable;
    send(unavailable ? fresh : streams, "unavailable", List.of());
    if (!unavailable) {
      send(fresh, "unavailable", List.of());
    }
    streams.addAll(fresh);
    fresh.clear();
    unavailable = true;
    return isNews;
  }

  /** Lets pages know that the service is there, and finds out whether they are. */
  synchronized void sign() {
    send(streams, "alive", List.of());
  }

  /** Does not wait until it is sent. A page that has gone, or does not read, hears no more. */
  private void send(List<PageStream> to, String name, List<String> ids) {
    to.removeIf(stream -> !stream.send(name, Map.of("orders", ids)));
  }

  synchronized void complete() {
    List.copyOf(streams).forEach(PageStream::complete);
    List.copyOf(fresh).forEach(PageStream::complete);
  }
}
