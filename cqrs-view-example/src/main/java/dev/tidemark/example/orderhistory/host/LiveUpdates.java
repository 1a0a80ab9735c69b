package dev.tidemark.example.orderhistory.host;

import static org.springframework.http.HttpStatus.TOO_MANY_REQUESTS;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Tells pages that an order changed. It looks at the store itself: once a second for each consumer
 * that someone watches, at once when this process applied something. So it does not matter which
 * instance, or which Lambda function, wrote; the price is one query of the index and one read a
 * second for each watched consumer and instance. It ends before the web server stops, which would
 * wait for its streams. Where a consumer's orders cannot be read, its pages alone are told so.
 */
@Component
final class LiveUpdates {
  private static final Logger LOG = LoggerFactory.getLogger(LiveUpdates.class);
  private static final int MOST_STREAMS = 500;
  private static final int MOST_OF_ONE_CLIENT = 20;
  private static final long TICK_MILLIS = 200;
  private static final int TICKS_BETWEEN_LOOKS = 5;
  private static final long SIGN_MILLIS = 1_000;
  private static final long STREAM_MILLIS = Duration.ofMinutes(10).toMillis();

  private final ConsumerLook look;
  private final ChangeSignal signal;
  private final Map<String, Watch> watches = new ConcurrentHashMap<>();
  private final Map<SseEmitter, String> clients = new ConcurrentHashMap<>();
  private long ticks;
  private long seenSignal;

  LiveUpdates(ConsumerLook look, ChangeSignal signal) {
    this.look = look;
    this.signal = signal;
  }

  /**
   * Begins a stream.
   *
   * @param client the address of who asks
   * @throws StoreUnavailable if there are too many
   * @throws Problem if the client has too many
   */
  SseEmitter subscribe(String consumerId, String client) {
    SseEmitter stream = admit(client);
    var unused =
        watches.compute(
            consumerId,
            (id, known) -> {
              Watch watch = known == null ? new Watch() : known;
              watch.add(stream);
              return watch;
            });
    return stream;
  }

  private synchronized SseEmitter admit(String client) {
    if (clients.size() >= MOST_STREAMS) {
      throw new StoreUnavailable(new IllegalStateException("too many pages wait for updates"));
    }
    if (clients.values().stream().filter(client::equals).count() >= MOST_OF_ONE_CLIENT) {
      String detail = "one client has at most " + MOST_OF_ONE_CLIENT + " streams; close one first";
      throw new Problem(TOO_MANY_REQUESTS, "too-many-streams", detail, null);
    }
    SseEmitter stream = new SseEmitter(STREAM_MILLIS);
    clients.put(stream, client);
    stream.onCompletion(() -> clients.remove(stream));
    return stream;
  }

  @Scheduled(fixedDelay = TICK_MILLIS)
  void tick() {
    ticks++;
    long now = signal.count();
    boolean everyone = now != seenSignal || ticks % TICKS_BETWEEN_LOOKS == 0;
    seenSignal = now;
    boolean away = false;
    for (Map.Entry<String, Watch> entry : watches.entrySet()) {
      Watch watch = entry.getValue();
      if (everyone || watch.isNew()) {
        away = away || !look(entry.getKey(), watch);
        if (away) { // do not wait for each of them
          boolean unused = watch.sawNothing();
        }
      }
      var unused = watches.computeIfPresent(entry.getKey(), (id, w) -> w.size() == 0 ? null : w);
    }
  }

  private boolean look(String consumerId, Watch watch) {
    try {
      watch.saw(look.at(consumerId));
      return true;
    } catch (StoreUnavailable e) {
      return false;
    } catch (RuntimeException e) { // as of a row that cannot be read: the other pages' looks go on
      if (watch.sawNothing()) {
        LOG.atError()
            .addKeyValue("fault", e.getClass().getSimpleName())
            .log("the orders of a consumer that is watched cannot be read");
      }
      return true;
    }
  }

  /** Also while a look waits for the store. */
  @Scheduled(fixedDelay = SIGN_MILLIS)
  void sign() {
    watches.values().forEach(Watch::sign);
  }

  @EventListener(ContextClosedEvent.class)
  void end() {
    List<Watch> last = List.copyOf(watches.values());
    watches.clear();
    last.forEach(Watch::complete);
  }
}
