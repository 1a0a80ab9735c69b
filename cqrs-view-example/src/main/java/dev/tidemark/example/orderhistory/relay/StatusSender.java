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
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * Sends changes of statuses to where {@link Setting#RELAY_TO} says. A message that goes to Kafka
 * and to SQS counts as sent once both have it; if one of them fails, the next try sends it to both
 * again, under the same ID. For any number of threads.
 */
public final class StatusSender implements Sender, AutoCloseable {
  /** How long a call may wait for brokers that do not answer; a lease has to last longer. */
  static final Duration LONGEST_CALL = Duration.ofSeconds(9);

  private static final Duration SQS_CALL = Duration.ofSeconds(3);

  /** One broker. */
  private record Target(Sender sender, Runnable closing) {}

  private final List<Target> targets;

  private StatusSender(List<Target> targets) {
    this.targets = targets;
  }

  /**
   * A sender to what the settings name. Clients connect when they are used.
   *
   * @param settings those of the process
   * @return the caller's to close
   * @throws IllegalArgumentException if {@code RELAY_TO} names nothing or something else than Kafka
   *     and SQS, or a setting is missing
   */
  public static StatusSender of(Settings settings) {
    return of(settings, SqsClient::builder);
  }

  /**
   * The same, by an SQS client of the caller's making.
   *
   * @param settings those of the process
   * @param sqs begins a client; asked only if messages go to SQS
   * @return the caller's to close
   * @throws IllegalArgumentException if {@code RELAY_TO} names nothing or something else than Kafka
   *     and SQS, or a setting is missing
   */
  public static StatusSender of(Settings settings, Supplier<SqsClientBuilder> sqs) {
    var unused = settings.get(Setting.RELAY_TO); // if it is missing, fails here
    List<Supplier<Target>> targets = new ArrayList<>();
    for (String target : settings.list(Setting.RELAY_TO, "")) {
      targets.add(target(target.strip(), settings, sqs));
    }
    return new StatusSender(targets.stream().map(Supplier::get).toList());
  }

  /** Reads the settings now, and makes clients when asked to. */
  private static Supplier<Target> target(
      String name, Settings settings, Supplier<SqsClientBuilder> sqs) {
    return switch (name) {
      case "kafka" -> {
        String servers = settings.get(Setting.KAFKA_BOOTSTRAP_SERVERS);
        String topic = settings.get(Setting.STATUS_TOPIC, OrderStatusChanged.TOPIC);
        yield () -> kafka(servers, topic);
      }
      case "sqs" -> {
        String queue = settings.get(Setting.STATUS_QUEUE_URL);
        yield () -> sqs(sqs.get(), queue);
      }
      default ->
          throw new IllegalArgumentException(
              "RELAY_TO must be kafka, sqs, or both with a comma between, was "
                  + settings.get(Setting.RELAY_TO));
    };
  }

  private static Target kafka(String servers, String topic) {
    KafkaTarget kafka = new KafkaTarget(servers, topic);
    return new Target(kafka, kafka::close);
  }

  private static Target sqs(SqsClientBuilder builder, String queue) {
    SqsClient client = builder.overrideConfiguration(call -> call.apiCallTimeout(SQS_CALL)).build();
    return new Target(SqsSender.of(client, topic -> queue), client::close);
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    List<Sent> all = new ArrayList<>(Collections.nCopies(messages.size(), Sent.taken()));
    for (Target target : targets) {
      List<Sent> answers = target.sender().send(messages);
      for (int i = 0; i < answers.size(); i++) {
        if (all.get(i) instanceof Sent.Taken) {
          all.set(i, answers.get(i));
        }
      }
    }
    return all;
  }

  @Override
  public void close() {
    targets.forEach(target -> target.closing().run());
  }
}
