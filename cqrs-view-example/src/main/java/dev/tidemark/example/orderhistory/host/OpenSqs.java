package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.carrier.SqsCarrier;
import dev.tidemark.example.orderhistory.carrier.SqsOptions;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The SQS carrier with a client of its own, and meters of its queue. */
final class OpenSqs implements Carrier {
  private final SqsClient sqs;
  private final QueueDepth depth;
  private final SqsCarrier carrier;

  private OpenSqs(SqsClient sqs, QueueDepth depth, SqsCarrier carrier) {
    this.sqs = sqs;
    this.depth = depth;
    this.carrier = carrier;
  }

  /** Reads the settings now, and connects with each attempt. */
  static Supplier<Carrier> with(
      Settings settings, BatchWatch watch, MeterRegistry registry, Clock clock) {
    String queue = settings.get(Setting.QUEUE_URL);
    String dead = settings.get(Setting.DEAD_LETTER_QUEUE_URL);
    return () -> {
      SqsClient sqs = SqsClient.create();
      return new OpenSqs(
          sqs,
          QueueDepth.of(sqs, queue, registry, clock),
          new SqsCarrier(sqs, queue, dead, watch, SqsOptions.DEFAULT));
    };
  }

  @Override
  public void run() {
    carrier.run();
  }

  @Override
  public void stop() {
    carrier.stop();
  }

  @Override
  public void close() {
    depth.close();
    sqs.close();
  }
}
