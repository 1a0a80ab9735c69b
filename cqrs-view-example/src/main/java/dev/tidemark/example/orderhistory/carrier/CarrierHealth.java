package dev.tidemark.example.orderhistory.carrier;

import io.awspring.cloud.sqs.listener.MessageListenerContainerRegistry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.stereotype.Component;

/**
 * Whether the carrier runs. Partitions that wait are told, but are no reason to take the service
 * out of use: the others go on.
 */
@Component("carrier")
final class CarrierHealth implements HealthIndicator {
  private final Optional<KafkaListenerEndpointRegistry> kafka;
  private final Optional<MessageListenerContainerRegistry> sqs;
  private final Optional<ChangeStream> changeStream;

  CarrierHealth(
      Optional<KafkaListenerEndpointRegistry> kafka,
      Optional<MessageListenerContainerRegistry> sqs,
      Optional<ChangeStream> changeStream) {
    this.kafka = kafka;
    this.sqs = sqs;
    this.changeStream = changeStream;
  }

  @Override
  public Health health() {
    boolean runs =
        containers().stream().allMatch(MessageListenerContainer::isRunning)
            && sqs.stream()
                .flatMap(registry -> registry.getListenerContainers().stream())
                .allMatch(container -> container.isRunning())
            && changeStream.stream().allMatch(ChangeStream::isFollowed);
    Health.Builder health = runs ? Health.up() : Health.down();
    List<String> waiting = waiting();
    return waiting.isEmpty() ? health.build() : health.withDetail("waiting", waiting).build();
  }

  private List<MessageListenerContainer> containers() {
    return kafka.stream().flatMap(registry -> registry.getListenerContainers().stream()).toList();
  }

  private List<String> waiting() {
    Stream<String> partitions =
        containers().stream()
            .flatMap(
                container ->
                    Optional.ofNullable(container.getAssignedPartitions()).stream()
                        .flatMap(assigned -> assigned.stream())
                        .filter(container::isPartitionPaused))
            .map(TopicPartition::toString)
            .sorted();
    Stream<String> changes =
        changeStream.flatMap(ChangeStream::held).stream()
            .map(held -> "%d changes: %s".formatted(held.count(), held.reason()));
    return Stream.concat(partitions, changes).toList();
  }
}
