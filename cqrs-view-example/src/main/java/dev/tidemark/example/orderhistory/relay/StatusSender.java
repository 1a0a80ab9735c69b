package dev.tidemark.example.orderhistory.relay;

import dev.tidemark.aws.SqsSender;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * Sends changes of statuses to where {@link Settings#relayTo} says: to Kafka, to SQS, or to both.
 * For any number of threads.
 */
public final class StatusSender implements Sender, AutoCloseable {
  /**
   * How long a lease of a relay has to last: longer than a call may wait for brokers that do not
   * answer.
   */
  public static final Duration LEASE = Duration.ofSeconds(10);

  private static final Duration SQS_CALL = Duration.ofSeconds(3);

  private final List<Sender> targets = new ArrayList<>();
  private final List<Runnable> closing = new ArrayList<>();
  private final Sender all;

  /**
   * A sender to what the settings name. Clients connect when they are used.
   *
   * @param settings those of the process
   * @param sqs begins a client; asked only if messages go to SQS
   * @throws IllegalArgumentException if {@code RELAY_TO} names nothing
   */
  public StatusSender(Settings settings, Supplier<SqsClientBuilder> sqs) {
    if (settings.relayTo().contains("kafka")) {
      var kafka = KafkaTarget.of(settings.kafkaBootstrapServers(), settings.statusTopic());
      targets.add(kafka);
      closing.add(kafka::close);
    }
    if (settings.relayTo().contains("sqs")) {
      SqsClient client =
          sqs.get().overrideConfiguration(call -> call.apiCallTimeout(SQS_CALL)).build();
      targets.add(SqsSender.of(client, topic -> settings.statusQueueUrl()));
      closing.add(client::close);
    }
    this.all = Sender.all(targets);
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    return all.send(messages);
  }

  @Override
  public void close() {
    closing.forEach(Runnable::run);
  }
}
