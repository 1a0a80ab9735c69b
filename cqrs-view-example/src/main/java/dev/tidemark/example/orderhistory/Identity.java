package dev.tidemark.example.orderhistory;

import dev.tidemark.Message;
import dev.tidemark.SourceEvent;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What makes an event the one that a view has seen before. Both survive redelivery, a rebalance and
 * offsets that are set back. Only the version survives a producer that sends an event twice, a
 * topic that is repartitioned or created anew, and a move to another cluster: it belongs to the
 * event, the offset to the record. So take the version where events have one.
 */
public enum Identity {
  /** The order and its version. */
  VERSION {
    @Override
    Message of(ConsumerRecord<?, ?> record, OrderEvent event) {
      return SourceEvent.of("Order", event.orderId(), event.version());
    }
  },
  /** The topic's partition and the offset. */
  OFFSET {
    @Override
    Message of(ConsumerRecord<?, ?> record, OrderEvent event) {
      return SourceEvent.kafka(record.topic(), record.partition(), record.offset());
    }
  };

  abstract Message of(ConsumerRecord<?, ?> record, OrderEvent event);
}
