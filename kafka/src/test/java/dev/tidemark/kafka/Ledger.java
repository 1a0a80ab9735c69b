package dev.tidemark.kafka;

import static dev.tidemark.EntityKey.key;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.intake.DeadLetters;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceMapper;
import dev.tidemark.tck.ReferenceStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A view that lists the records of each entity in the order in which they were applied. */
final class Ledger {
  /** A row: the texts of its records, one after the other. */
  record Row(String id, String texts) {}

  /** What a record says: the entity, and a text. */
  record Entry(String entity, String text) {
    static Entry decode(byte[] value) {
      String[] parts = new String(value, UTF_8).split(" ", -1);
      if (parts.length != 2) {
        throw new IllegalArgumentException("not an entry");
      }
      return new Entry(parts[0], parts[1]);
    }
  }

  private static final class RowMapper implements ReferenceMapper<Row> {
    @Override
    public Map<String, Object> attributes(Row row) {
      return Map.of("texts", row.texts());
    }

    @Override
    public Row entity(EntityKey key, Map<String, Object> attributes) {
      return new Row(
          key.parts().get(0).toString(), attributes.getOrDefault("texts", "").toString());
    }

    @Override
    public EntityKey key(Row row) {
      return EntityKey.key(row.id());
    }

    @Override
    public void check(Operation operation) {}
  }

  private final ReferenceStore<Row> rows =
      ReferenceStore.of(new RowMapper(), Tracking.defaults(), new MovableClock());

  /** Texts whose records fail. */
  final Set<String> failing = new HashSet<>();

  /** What is thrown instead of handling anything, while there is something. */
  final List<RuntimeException> outages = new ArrayList<>();

  /** The texts that the handler was given, batch by batch. */
  final List<List<String>> batches = new ArrayList<>();

  private final Projector<Row> projector =
      Projector.into(rows)
          .on(
              Entry.class,
              entry -> key(entry.entity()),
              () -> new Row("", ""),
              (row, entry) -> {
                if (failing.contains(entry.text())) {
                  throw new NullPointerException("secret");
                }
                return new Row(row.id(), row.texts() + entry.text());
              })
          .build();

  BatchOutcome<?> handle(List<Delivery> deliveries) {
    batches.add(deliveries.stream().map(each -> ((Entry) each.event()).text()).toList());
    if (!outages.isEmpty()) {
      throw outages.remove(0);
    }
    return projector.handle(deliveries);
  }

  /** An intake without patience, which keeps what it gives up. */
  IntakeBuilder<ConsumerRecord<String, byte[]>> builder(
      DeadLetters<ConsumerRecord<String, byte[]>> letters) {
    return KafkaIntake.<String, byte[]>builder(Ledger::delivery, this::handle)
        .deadLetters(letters)
        .parkAfter(3);
  }

  Intake<ConsumerRecord<String, byte[]>> intake(
      DeadLetters<ConsumerRecord<String, byte[]>> letters) {
    return builder(letters).build();
  }

  /** An intake whose decoder does something before it reads a record, such as to fail. */
  Intake<ConsumerRecord<String, byte[]>> decodedBy(Consumer<ConsumerRecord<String, byte[]>> first) {
    return KafkaIntake.<String, byte[]>builder(
            record -> {
              first.accept(record);
              return delivery(record);
            },
            this::handle)
        .build();
  }

  private static Delivery delivery(ConsumerRecord<String, byte[]> record) {
    return Delivery.of(
        SourceEvent.kafka(record.topic(), record.partition(), record.offset()),
        Entry.decode(record.value()));
  }

  /** The texts of an entity, in the order in which they were applied. */
  String texts(String entity) {
    return rows.find(key(entity)).map(Row::texts).orElse("");
  }
}
