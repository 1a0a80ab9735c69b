package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.relay.StatusRelay;
import dev.tidemark.example.orderhistory.relay.StatusSender;
import dev.tidemark.example.orderhistory.store.HintStreams;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.RelayPass;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Runs the relay of statuses in a thread of its own, if the settings name a broker to relay to. It
 * stops before the web server does, and waits for the messages in hand.
 */
final class RelayService implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(RelayService.class);

  private final @Nullable StatusSender sender;
  private final @Nullable StatusRelay relay;
  private final HintStreams hints = new HintStreams(DynamoDbStreamsClient::create);
  private final Clock clock;
  private final Map<String, Seen> seen = new ConcurrentSkipListMap<>();
  private volatile @Nullable Thread thread;

  /**
   * What a relay of one generation did last.
   *
   * @param pass its last pass
   * @param good when the store answered it last
   */
  record Seen(RelayPass pass, Instant good) {}

  /**
   * Reads the settings, and connects to nothing.
   *
   * @throws IllegalArgumentException if {@code RELAY_TO} names an unknown broker, or a setting of
   *     one is missing
   */
  RelayService(Settings settings, Generations generations, RelayListener meters, Clock clock) {
    this.clock = clock;
    if (settings.get(Setting.RELAY_TO, "").isEmpty()) {
      sender = null;
      relay = null;
    } else {
      StatusSender to = StatusSender.of(settings);
      sender = to;
      relay = StatusRelay.of(generations, to, meters.and(this::passed)).hintedBy(hints);
    }
  }

  /** A pass in which only the broker failed was answered by the store. */
  private void passed(RelayPass pass) {
    Instant now = clock.instant();
    boolean answered = pass.error() == null || pass.failed() > 0;
    seen.merge(
        pass.records(),
        new Seen(pass, now),
        (before, last) -> answered ? last : new Seen(pass, before.good()));
  }

  /** Whether there is a relay. */
  boolean any() {
    return relay != null;
  }

  /** By the name of the table or collection, of those that there are. */
  Map<String, Seen> seen() {
    if (relay != null) {
      seen.keySet().retainAll(relay.records());
    }
    return seen;
  }

  @Override
  public void start() {
    if (relay != null) {
      Thread running = new Thread(relay, "relay");
      thread = running;
      running.start();
      LOG.info("the relay runs");
    }
  }

  @Override
  public void stop() {
    Thread running = thread;
    if (relay == null || running == null) {
      return;
    }
    relay.stop();
    try {
      running.join();
      LOG.info("the relay stopped");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    hints.close();
    if (sender != null) {
      sender.close();
    }
  }

  @Override
  public boolean isRunning() {
    Thread running = thread;
    return running != null && running.isAlive();
  }
}
