package dev.tidemark.example.orderhistory.local;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The topics of events: sends events, and tells how many the consumer group has not committed. */
public final class EventTopics implements AutoCloseable {
  public static final String DEAD_LETTERS = "order-history-dead-letters";
  public static final String GROUP = "order-history";
  private static final Map<String, String> TOPICS =
      Map.of("Order", "orders", "Ticket", "tickets", "Delivery", "deliveries");
  private static final int PARTITIONS = 2;

  /** The group that keeps the board of restaurants, and its topic. */
  public static final String BOARD = "restaurant-board";

  public static final List<String> STATUSES = List.of(OrderStatusChanged.TOPIC);

  private final String bootstrapServers;

  private final Admin admin;
  private final Producer<String, byte[]> producer;

  /** Makes the topics. */
  public EventTopics(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers);
    admin = Admin.create(settings);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "acks", "all"),
            new StringSerializer(),
            new ByteArraySerializer());
    List<NewTopic> topics = new ArrayList<>();
    TOPICS.values().forEach(name -> topics.add(new NewTopic(name, PARTITIONS, (short) 1)));
    STATUSES.forEach(name -> topics.add(new NewTopic(name, PARTITIONS, (short) 1)));
    topics.add(new NewTopic(DEAD_LETTERS, 1, (short) 1));
    var unused = await(admin.createTopics(topics).all());
  }

  /** Sends events in their order, and returns once the broker has them. */
  public void send(List<Event> events) {
    List<Future<?>> sent = new ArrayList<>();
    for (Event event : events) {
      String topic = TOPICS.getOrDefault(event.aggregateType(), "");
      sent.add(
          producer.send(new ProducerRecord<>(topic, event.orderId(), EventJson.encode(event))));
    }
    producer.flush();
    sent.forEach(EventTopics::await);
  }

  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** How many records are in the topics of events that the group has not committed. */
  public long waiting() {
    return waitingFor(GROUP);
  }

  /** How many records a group has not committed, of its own topics. */
  public long waitingFor(String group) {
    Map<TopicPartition, OffsetAndMetadata> committed =
        await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    return ends(group.equals(BOARD) ? STATUSES : TOPICS.values()).entrySet().stream()
        .mapToLong(
            end -> {
              OffsetAndMetadata at = committed.get(end.getKey());
              return end.getValue() - (at == null ? 0 : at.offset());
            })
        .sum();
  }

  /** How many changes of statuses were sent, those that were sent twice too. */
  public long statuses() {
    return ends(STATUSES).values().stream().mapToLong(end -> end).sum();
  }

  private Map<TopicPartition, Long> ends(Collection<String> topics) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (String topic : topics) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        asked.put(new TopicPartition(topic, partition), OffsetSpec.latest());
      }
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    await(admin.listOffsets(asked).all())
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  /** Waits for what a broker answers; what it refuses is thrown. */
  public static <T> T await(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
