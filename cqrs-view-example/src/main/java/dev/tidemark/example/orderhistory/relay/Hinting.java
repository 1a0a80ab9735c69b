package dev.tidemark.example.orderhistory.relay;

import dev.tidemark.example.orderhistory.store.HintStream;
import dev.tidemark.example.orderhistory.store.HintStreams;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the store's stream tell one relay what came, in a thread of its own. A stream that cannot be
 * opened leaves the relay as it is without one: it looks.
 */
final class Hinting {
  private static final Logger LOG = LoggerFactory.getLogger(Hinting.class);

  private final Thread thread;
  private volatile boolean isStopped;

  private Hinting(HintStreams streams, OutboxRecords records, Relay relay) {
    this.thread = new Thread(() -> poll(streams, records, relay), "hints-" + records.name());
  }

  static Hinting start(HintStreams streams, OutboxRecords records, Relay relay) {
    Hinting hinting = new Hinting(streams, records, relay);
    hinting.thread.start();
    return hinting;
  }

  private void poll(HintStreams streams, OutboxRecords records, Relay relay) {
    try {
      Optional<HintStream> opened = streams.of(records, relay);
      if (opened.isPresent()) {
        try (HintStream stream = opened.get()) {
          while (!isStopped) {
            stream.poll();
          }
        }
      }
    } catch (RuntimeException e) { // its text may quote values
      LOG.warn("no hints for the relay of {}: {}", records.name(), e.getClass().getSimpleName());
    }
  }

  /** Tells it to end; {@link #join} waits for that. */
  void stop() {
    isStopped = true;
    thread.interrupt();
  }

  void join() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
