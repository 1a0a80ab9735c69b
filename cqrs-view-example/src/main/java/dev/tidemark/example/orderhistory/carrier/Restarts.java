package dev.tidemark.example.orderhistory.carrier;

import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.TimeUnit.SECONDS;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.event.ConcurrentContainerStoppedEvent;
import org.springframework.kafka.event.ConsumerStoppedEvent.Reason;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Starts a container of Kafka again that has ended by itself, as by an error or a missing right,
 * after a pause. For any number of threads.
 */
record Restarts(KafkaListenerEndpointRegistry containers, Intakes intakes) {
  private static final Logger LOG = LoggerFactory.getLogger(Restarts.class);
  private static final long PAUSE_SECONDS = 1;

  @EventListener
  void ended(ConcurrentContainerStoppedEvent event) {
    if (event.getReason() != Reason.NORMAL) {
      intakes.restarted();
      LOG.warn("the carrier ended by itself ({}), and starts after a pause", event.getReason());
      MessageListenerContainer container = event.getContainer(MessageListenerContainer.class);
      delayedExecutor(PAUSE_SECONDS, SECONDS).execute(() -> start(container));
    }
  }

  private void start(MessageListenerContainer container) {
    if (containers.isRunning()) { // else the service is about to end
      container.start();
    }
  }
}
