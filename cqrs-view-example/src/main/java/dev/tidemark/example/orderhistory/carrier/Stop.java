package dev.tidemark.example.orderhistory.carrier;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Whether a carrier is to end; its pauses end with it. For any number of threads. */
final class Stop {
  private final CountDownLatch asked = new CountDownLatch(1);

  void ask() {
    asked.countDown();
  }

  boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** Waits, but not beyond a stop; an interrupt is one. */
  void waitFor(Duration pause) {
    try {
      var unused = asked.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ask();
    }
  }
}
