package dev.tidemark.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;

/** Whether a loop is to end; its pauses end with it. For any number of threads. */
final class Stop {
  private final CountDownLatch asked = new CountDownLatch(1);

  void ask() {
    asked.countDown();
  }

  boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** Waits, but not beyond a stop. */
  void await(Duration pause) {
    try {
      var unused = asked.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new InterruptException(e); // as Kafka's clients do
    }
  }
}
