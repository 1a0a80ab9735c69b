// snippet: start-kafka
package shop;

import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

public record KafkaOrders(Consumer<String, String> consumer, Projector<?> projector) {
  public void poll() {
    Map<String, TopicPartition> lanes = new HashMap<>();
    List<Delivery> deliveries = new ArrayList<>();
    ConsumerRecords<String, String> polled = consumer.poll(Duration.ofSeconds(1));
    for (TopicPartition partition : polled.partitions()) {
      List<ConsumerRecord<String, String>> records = polled.records(partition);
      consumer.seek(partition, records.get(0).offset()); // until they are done
      lanes.put(partition.toString(), partition);
      for (ConsumerRecord<String, String> record : records) {
        OrderEvent event = OrderEvent.parse(record.value());
        deliveries.add(event.delivery().lane(partition.toString(), record.offset()));
      }
    }
    Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
    projector
        .handle(deliveries)
        .toCommit()
        .forEach((lane, offset) -> done.put(lanes.get(lane), new OffsetAndMetadata(offset)));
    done.forEach(consumer::seek); // what is not done comes again
    consumer.commitSync(done);
  }
}
// end
