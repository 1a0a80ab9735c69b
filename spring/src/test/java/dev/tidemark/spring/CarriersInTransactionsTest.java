package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.mongodb.ChangeStreamIntake;
import dev.tidemark.mongodb.MongoDeadLetters;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.StreamedChange;
import dev.tidemark.outbox.ParkedMessages;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("In a transaction of Spring, which may be rolled back, nothing is acknowledged:")
class CarriersInTransactionsTest {
  private static final String REFUSED = "must not run inside a transaction of Spring";

  private final MongoDatabase database = Servers.mongo().getDatabase(Servers.fresh("carried"));
  private final TransactionTemplate transaction =
      new TransactionTemplate(
          new MongoTransactionManager(
              new SimpleMongoClientDatabaseFactory(Servers.mongo(), database.getName())));
  private final MongoEntityStore<Document> rows =
      MongoEntityStore.builder(database.getCollection("rows"))
          .tracking(Tracking.defaults().outbox(10, 1))
          .build();
  private final Projector<Document> projector =
      Projector.into(rows)
          .updating(String.class, name -> key(name), name -> change().add("n", 1).createIfMissing())
          .build();

  private static Delivery delivery(String name) {
    return Delivery.of(MessageId.of(name), name);
  }

  private void refused(String what, Runnable call) {
    assertThatIllegalStateException()
        .isThrownBy(() -> transaction.executeWithoutResult(status -> call.run()))
        .withMessageContaining(what + " " + REFUSED);
  }

  private long written() {
    return database.getCollection("rows").countDocuments();
  }

  @Test
  @DisplayName("not by an intake of whatever carrier, which keeps no letter either")
  void intake() {
    List<String> letters = new ArrayList<>();
    IntakeBuilder<String> builder =
        Intake.<String>builder(
            text -> text,
            text -> {
              if (text.equals("poison")) {
                throw new IllegalArgumentException();
              }
              return delivery(text);
            },
            projector::handle);
    Intake<String> intake = builder.deadLetters((text, reason) -> letters.add(text)).build();
    List<String> messages = List.of("ann", "poison");
    refused("an intake", () -> intake.take(messages));
    assertThat(letters).isEmpty();
    assertThat(written()).isZero();
    assertThat(intake.take(messages).toAcknowledge()).isEqualTo(messages);
  }

  @Test
  @DisplayName("not by a listener of SQS")
  void sqs() {
    SqsIntakeListener<String> listener =
        SqsIntakeListener.of(
            SqsIntakeListener.<String>builder(m -> delivery(m.getPayload()), projector::handle)
                .build());
    Message<String> message =
        MessageBuilder.withPayload("ann")
            .setHeader(SqsHeaders.SQS_RAW_MESSAGE_ID_HEADER, "m1")
            .build();
    var acknowledged = new SqsSeveralIntakesTest.Acknowledged();
    refused("an intake", () -> listener.take(List.of(message), acknowledged));
    assertThat(acknowledged.messages).isEmpty();
    listener.take(List.of(message), acknowledged);
    assertThat(acknowledged.messages).containsExactly(message);
    assertThat(written()).isOne();
  }

  @Test
  @DisplayName("not by a listener of Kafka, though it catches what the rollback throws")
  void kafka() {
    KafkaIntakeListener<String, String> listener =
        KafkaIntakeListener.of(
            KafkaIntakeListener.<String, String>builder(r -> delivery(r.value()), projector::handle)
                .build());
    List<ConsumerRecord<String, String>> records =
        List.of(new ConsumerRecord<>("t", 0, 0, "k", "ann"));
    assertThatThrownBy(
            () ->
                ListenerCall.run(records, () -> refused("an intake", () -> listener.take(records))))
        .isInstanceOfSatisfying(
            UndoneRecordsException.class,
            undone ->
                assertThat(undone.offsets()).isEqualTo(Map.of(new TopicPartition("t", 0), 0L)));
    ListenerCall.run(records, () -> listener.take(records));
    assertThat(written()).isOne();
  }

  @Test
  @DisplayName("not by a redrive of dead letters, which stay")
  void redrive() {
    MongoCollection<Document> events = database.getCollection("events");
    MongoCollection<Document> letters = database.getCollection("letters");
    String source = events.getNamespace().getFullName();
    letters.insertOne(
        new Document("_id", new Document(Map.of("stream", "s", "source", source, "_id", "ann")))
            .append("at", Instant.ofEpochMilli(1))
            .append("document", new Document("_id", "ann")));
    Intake<StreamedChange> intake =
        ChangeStreamIntake.builder(
                change -> delivery(change.document().getString("_id").getValue()),
                projector::handle)
            .build();
    MongoDeadLetters kept = MongoDeadLetters.of(letters, "s");
    refused("an intake", () -> kept.redrive(events, intake));
    assertThat(letters.countDocuments()).isOne();
    assertThat(kept.redrive(events, intake).done()).isOne();
    assertThat(written()).isOne();
  }

  private MongoOutbox published() {
    MongoOutbox outbox =
        MongoOutbox.builder(database.getCollection("rows"))
            .tracking(Tracking.defaults().outbox(10, 1))
            .build();
    outbox.createIndex();
    rows.update(
        MessageId.of("m1"),
        key("ann"),
        change().publish(OutgoingMessage.to("topic", "text").id("o1")).createIfMissing());
    return outbox;
  }

  @Test
  @DisplayName("not by a relay, whose sender may take part in the transaction")
  void relay() {
    List<String> sent = new ArrayList<>();
    Relay relay =
        Relay.builder(published(), Sender.each(message -> sent.add(message.id()))).build();
    refused("a relay", () -> relay.drain(Duration.ofSeconds(1)));
    refused("a relay", relay::sweep);
    refused("a relay", relay::run);
    assertThat(sent).isEmpty();
    assertThat(relay.sweep().sent()).isOne();
    assertThat(sent).containsExactly("o1");
  }

  @Test
  @DisplayName("not by the release and the drop of parked messages")
  void parked() {
    MongoOutbox outbox = published();
    Relay relay =
        Relay.builder(
                outbox,
                all ->
                    all.stream()
                        .<Sent>map(one -> Sent.rejected(new IllegalStateException()))
                        .toList())
            .parkAfter(1)
            .build();
    assertThat(relay.sweep().parked()).isOne();
    Object key = outbox.parked(0, 1).get(0).key();
    ParkedMessages parked = ParkedMessages.of(outbox);
    refused("a change of parked messages", () -> parked.drop(key, Set.of("o1")));
    refused("a change of parked messages", () -> parked.release(key, Set.of("o1")));
    assertThat(outbox.parked(0, 1).get(0).parked()).hasSize(1);
    assertThat(parked.drop(key, Set.of("o1"))).isOne();
  }
}
