package dev.tidemark.aws;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.Tracking;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceMapper;
import dev.tidemark.tck.ReferenceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.sqs.model.Message;

/** A view that counts how often each text was applied. */
final class Tally {
  /** A row. */
  record Row(String id, long times) {}

  private static final class RowMapper implements ReferenceMapper<Row> {
    @Override
    public Map<String, Object> attributes(Row row) {
      return Map.of("times", row.times());
    }

    @Override
    public Row entity(EntityKey key, Map<String, Object> attributes) {
      Object times = attributes.getOrDefault("times", 0L);
      return new Row(key.parts().get(0).toString(), ((Number) times).longValue());
    }

    @Override
    public EntityKey key(Row row) {
      return EntityKey.key(row.id());
    }

    @Override
    public void check(Operation operation) {}
  }

  /** Texts whose messages fail. */
  final Set<String> failing = new HashSet<>();

  /** Texts that cannot be decoded for now, as while a registry of schemas is away. */
  final Set<String> unread = new HashSet<>();

  private final ReferenceStore<Row> rows =
      ReferenceStore.of(new RowMapper(), Tracking.defaults(), new MovableClock());

  private final Projector<Row> projector =
      Projector.into(rows)
          .on(
              String.class,
              text -> key(text),
              () -> new Row("", 0),
              (row, text) -> {
                if (failing.contains(text)) {
                  throw new NullPointerException("secret");
                }
                if (text.equals("rash")) {
                  throw new NoClassDefFoundError("a part of the handler is not there");
                }
                return new Row(row.id(), row.times() + 1);
              })
          .build();

  BatchOutcome<?> handle(List<Delivery> deliveries) {
    return projector.handle(deliveries);
  }

  /** An intake for which {@code poison} is no event, and {@code deep} one without an end. */
  IntakeBuilder<Message> builder(String queueUrl) {
    return SqsIntake.builder(
        queueUrl,
        message -> {
          if (message.body().equals("poison")) {
            throw new IllegalArgumentException("not an event");
          }
          if (message.body().equals("deep")) {
            throw new StackOverflowError();
          }
          if (unread.contains(message.body())) {
            throw new UncheckedIOException(new IOException("the registry is away"));
          }
          return Delivery.of(SqsIntake.identityOfSent(message), message.body());
        },
        this::handle);
  }

  long times(String text) {
    return rows.find(key(text)).map(Row::times).orElse(0L);
  }
}
