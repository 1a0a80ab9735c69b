package dev.tidemark.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The place of a record in one life of its topic. A topic that is deleted and created anew has the
 * same offsets again; the epoch of the partition's leader and the time of the record tell its lives
 * apart.
 *
 * @param partition topic and partition
 * @param offset in the partition
 * @param leaderEpoch -1 where the record tells none
 * @param timestamp as the record has it
 */
record RecordPlace(TopicPartition partition, long offset, int leaderEpoch, long timestamp) {
  static RecordPlace of(ConsumerRecord<?, ?> record) {
    return new RecordPlace(
        new TopicPartition(record.topic(), record.partition()),
        record.offset(),
        record.leaderEpoch().orElse(-1),
        record.timestamp());
  }
}
