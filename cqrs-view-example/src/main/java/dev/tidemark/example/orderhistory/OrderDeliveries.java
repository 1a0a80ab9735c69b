package dev.tidemark.example.orderhistory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.tidemark.Delivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads deliveries of order events from Kafka records, and writes them. For any number of threads.
 */
public final class OrderDeliveries implements Function<ConsumerRecord<String, byte[]>, Delivery> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectReader READER = JSON.readerFor(OrderEvent.class);
  private static final ObjectWriter WRITER = JSON.writerFor(OrderEvent.class);

  private final Identity identity;

  /**
   * Chooses what identifies an event.
   *
   * @param identity see there which to take
   */
  public OrderDeliveries(Identity identity) {
    this.identity = identity;
  }

  /**
   * Decodes a record.
   *
   * @param record a record that {@link #encode} made
   * @return its delivery, in the lane of its partition
   * @throws UncheckedIOException if it is not an order event
   */
  @Override
  public Delivery apply(ConsumerRecord<String, byte[]> record) {
    OrderEvent event = decode(record.value());
    return Delivery.of(identity.of(record, event), event)
        .lane(record.topic() + "-" + record.partition());
  }

  static OrderEvent decode(byte[] json) {
    try {
      return READER.readValue(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Encodes an event.
   *
   * @param event the event
   * @return JSON
   */
  public static byte[] encode(OrderEvent event) {
    try {
      return WRITER.writeValueAsBytes(event);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
