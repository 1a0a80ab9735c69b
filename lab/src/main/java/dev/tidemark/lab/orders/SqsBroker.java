package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.local.LocalSqs;
import java.time.Duration;

/** SQS in this process. */
final class SqsBroker implements Broker {
  private final LocalSqs sqs = new LocalSqs();

  @Override
  public Feed feed(String carrier, String name, Duration patience) {
    String suffix = carrier.equals("fifo") ? ".fifo" : "";
    return new SqsFeed(
        sqs.uri(),
        sqs.queue(name + suffix, patience),
        sqs.queue(name + "-dead-letters" + suffix, Duration.ofMinutes(5)));
  }

  @Override
  public void restart() {
    sqs.stop();
    sqs.start();
  }

  @Override
  public void close() {
    sqs.close();
  }
}
