package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a log says of records that are read again")
final class UndoneRecordsExceptionTest {
  @Test
  @DisplayName("tells how many partitions wait, and why the first does")
  void text() {
    var offsets = Map.of(new TopicPartition("orders", 0), 5L, new TopicPartition("orders", 2), 7L);
    assertThat(new UndoneRecordsException(offsets, "orders-0@5: Gap"))
        .hasMessage("not done yet, in 2 partition(s); the first: orders-0@5: Gap");
  }
}
