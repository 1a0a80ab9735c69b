package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A record that an intake has given up, and that its listener has not done")
final class KeptLettersTest {
  private final List<String> letters = new ArrayList<>();
  private final List<String> handled = new ArrayList<>();
  private final KafkaIntakeListener<String, String> one = listener("one");
  private final KafkaIntakeListener<String, String> two = listener("two");
  private final List<ConsumerRecord<String, String>> records =
      List.of(record(0, 0, "good"), record(0, 1, "failing"), record(0, 2, "good"));

  private KafkaIntakeListener<String, String> listener(String name) {
    CarrierWorld world = new CarrierWorld(0, 1, true);
    world.calm();
    return KafkaIntakeListener.of(
        KafkaIntakeListener.<String, String>builder(
                record -> {
                  handled.add(name + record.offset());
                  return world.decode(record.value());
                },
                world::handle)
            .deadLetters((record, reason) -> letters.add(name + record.offset()))
            .parkAfter(2)
            .build());
  }

  private static ConsumerRecord<String, String> record(int life, long offset, String kind) {
    String text = new Mail("lane0", life, offset, "entity" + offset, 1, kind).text();
    return new ConsumerRecord<>(
        "lane0",
        0,
        offset,
        7,
        TimestampType.CREATE_TIME,
        3,
        text.length(),
        "key",
        text,
        new RecordHeaders(),
        Optional.of(life));
  }

  private void both() {
    one.take(records);
    two.take(records);
  }

  /** The first intake alone has failed once by now, so that it gives up before the second. */
  @BeforeEach
  void outOfPhase() {
    assertThatThrownBy(
            () ->
                ListenerCall.run(
                    records,
                    () -> {
                      one.take(records);
                      throw new IllegalStateException("between its intakes");
                    }))
        .hasMessage("between its intakes");
    assertUndone();
    assertThat(letters).containsExactly("one1");
  }

  private void assertUndone() {
    assertThatThrownBy(() -> ListenerCall.run(records, this::both))
        .isInstanceOfSatisfying(
            UndoneRecordsException.class,
            undone ->
                assertThat(undone.offsets()).isEqualTo(Map.of(new TopicPartition("lane0", 0), 1L)));
  }

  @Test
  @DisplayName("is done once the other intake has given it up too, and is one letter of each")
  void inTurn() {
    ListenerCall.run(records, this::both);
    assertThat(letters).containsExactly("one1", "two1");
  }

  @Test
  @DisplayName("comes again as done also where the listener hands over each record by itself")
  void oneByOne() {
    ListenerCall.run(
        records,
        () -> {
          for (ConsumerRecord<String, String> record : records) {
            one.take(List.of(record));
            two.take(List.of(record));
          }
        });
    assertThat(letters).containsExactly("one1", "two1");
  }

  @Test
  @DisplayName("is remembered while its listener throws, and until it is committed")
  void untilCommitted() {
    assertThatThrownBy(
            () ->
                ListenerCall.run(
                    records,
                    () -> {
                      both();
                      throw new IllegalStateException("behind its intakes");
                    }))
        .hasMessage("behind its intakes");
    handled.clear();
    ListenerCall.run(records, this::both);
    assertThat(handled).doesNotContain("one1", "two1");
    assertUndone(); // both read it anew, where somebody has gone back to what was committed
    assertThat(handled).contains("one1", "two1");
    assertThat(letters).containsExactly("one1", "two1");
  }

  @Test
  @DisplayName("is not taken for the record of a topic that is created anew")
  void createdAnew() {
    ListenerCall.run(records, () -> one.take(List.of(record(1, 1, "good"))));
    assertThat(handled).endsWith("one1");
  }
}
