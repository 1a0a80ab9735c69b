package dev.tidemark.example.orderhistory.relay;

import dev.tidemark.aws.SqsSender;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
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
 * Sends changes of statuses to where {@link Setting#RELAY_TO} says: to Kafka, to SQS, or to both.
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
   * @throws IllegalArgumentException if {@code RELAY_TO} names nothing or something else than Kafka
   *     and SQS, or a setting is missing
   */
  public StatusSender(Settings settings, Supplier<SqsClientBuilder> sqs) {
    String names = settings.get(Setting.RELAY_TO);
    for (String name : settings.list(Setting.RELAY_TO, names)) {
      switch (name.strip()) {
        case "kafka" -> {
          var kafka =
              KafkaTarget.of(
                  settings.get(Setting.KAFKA_BOOTSTRAP_SERVERS),
                  settings.get(Setting.STATUS_TOPIC, OrderStatusChanged.TOPIC));
          targets.add(kafka);
          closing.add(kafka::close);
        }
        case "sqs" -> {
          String queue = settings.get(Setting.STATUS_QUEUE_URL);
          SqsClient client =
              sqs.get().overrideConfiguration(call -> call.apiCallTimeout(SQS_CALL)).build();
          targets.add(SqsSender.of(client, topic -> queue));
          closing.add(client::close);
        }
        default ->
            throw new IllegalArgumentException(
                "RELAY_TO must be kafka, sqs, or both with a comma between, was " + names);
      }
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
