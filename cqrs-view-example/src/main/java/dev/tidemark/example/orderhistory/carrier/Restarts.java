package dev.tidemark.example.orderhistory.carrier;

import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.event.ConcurrentContainerStoppedEvent;
import org.springframework.kafka.event.ConsumerStoppedEvent.Reason;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Starts a container of Kafka again that has ended by itself, as by an error or a missing right:
 * after pauses that grow to half a minute. For any number of threads.
 */
final class Restarts {
  private static final Logger LOG = LoggerFactory.getLogger(Restarts.class);
  private static final long FIRST_MILLIS = 250;
  private static final long LONGEST_MILLIS = 30_000;
  private static final Duration STEADY = Duration.ofMinutes(1);

  private final KafkaListenerEndpointRegistry containers;
  private final Intakes intakes;
  private final Clock clock;
  private Instant last = Instant.MIN;
  private long pause = FIRST_MILLIS;

  Restarts(KafkaListenerEndpointRegistry containers, Intakes intakes, Clock clock) {
    this.containers = containers;
    this.intakes = intakes;
    this.clock = clock;
  }

  @EventListener
  void ended(ConcurrentContainerStoppedEvent event) {
    if (event.getReason() != Reason.NORMAL) {
      MessageListenerContainer container = event.getContainer(MessageListenerContainer.class);
      long millis = pause();
      intakes.restarted();
      LOG.warn("the carrier ended by itself ({}), and starts in {} ms", event.getReason(), millis);
      delayedExecutor(millis, MILLISECONDS).execute(() -> start(container));
    }
  }

  private synchronized long pause() {
    Instant now = clock.instant();
    pause = last.plus(STEADY).isBefore(now) ? FIRST_MILLIS : Math.min(pause * 2, LONGEST_MILLIS);
    last = now;
    return pause;
  }

  private void start(MessageListenerContainer container) {
    if (containers.isRunning()) { // else the service is about to end
      container.start();
    }
  }
}
