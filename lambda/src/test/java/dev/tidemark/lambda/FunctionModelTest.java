package dev.tidemark.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent.KafkaEventRecord;
import com.amazonaws.services.lambda.runtime.events.KinesisEvent;
import com.amazonaws.services.lambda.runtime.events.KinesisEvent.KinesisEventRecord;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An event source mapping in its outlines: it hands over what is first in its lanes, and takes for
 * done whatever an answer does not name.
 */
@DisplayName("A function behind a wild source")
final class FunctionModelTest {
  private static final int RUNS = 60;
  private static final int LANES = 3;
  private static final int WILD = 100;
  private static final int CALM = 3_000;
  private static final int MOST = 10;

  /** The sources whose mappings read an answer. */
  enum Source {
    STANDARD_QUEUE,
    FIFO_QUEUE,
    KAFKA,
    KINESIS
  }

  private static final class Run {
    private final CarrierWorld world;
    private final Source source;

    /** What the source has no more, or the first that is left of a lane. */
    private final Set<Mail> gone = new HashSet<>();

    private final SqsBatch queue;
    private final KafkaBatch kafka;
    private final KinesisBatch kinesis;

    Run(long seed, Source source) {
      this.source = source;
      world = new CarrierWorld(seed, LANES, source != Source.STANDARD_QUEUE);
      queue =
          SqsBatch.of(m -> world.decode(m.getBody()), world::handle, letters(SQSMessage::getBody));
      kafka =
          KafkaBatch.of(
              r -> world.decode(text(r)), world::handle, letters(FunctionModelTest::text));
      kinesis =
          KinesisBatch.of(
              r -> world.decode(new String(r.bytes(), UTF_8)),
              world::handle,
              letters(record -> new String(record.bytes(), UTF_8)));
    }

    private <M> Consumer<IntakeBuilder<M>> letters(Function<M, String> text) {
      return intake ->
          intake
              .deadLetters((message, reason) -> world.keep(text.apply(message)))
              .parkAfter(2)
              .listener(taken -> {});
    }

    void live() {
      for (int i = 0; i < WILD; i++) {
        if (world.happens(2)) {
          world.send(world.random().nextInt(8));
        }
        invoke();
      }
      world.calm();
      for (int i = 0; i < CALM && !world.isOver(); i++) {
        invoke();
      }
      world.judge();
    }

    private void invoke() {
      List<Mail> mails = new ArrayList<>();
      for (String lane : world.lanes()) {
        List<Mail> left = world.log(lane).stream().filter(m -> !gone.contains(m)).toList();
        int most = source == Source.KINESIS && !mails.isEmpty() ? 0 : MOST;
        int some = world.random().nextInt(1 + Math.min(most, left.size()));
        mails.addAll(left.subList(0, some));
      }
      if (source == Source.STANDARD_QUEUE) {
        Collections.shuffle(mails, world.random());
      }
      if (mails.isEmpty()) {
        return;
      }
      Set<Mail> done = new HashSet<>(mails);
      try {
        done.removeAll(undone(mails));
      } catch (RuntimeException e) { // the invocation has failed: all of it comes again
        return;
      }
      world.acknowledged(done);
      gone.addAll(done);
    }

    private Set<Mail> undone(List<Mail> mails) {
      return switch (source) {
        case STANDARD_QUEUE -> undoneInQueue(mails, "arn:aws:sqs:eu-central-1:1:queue");
        case FIFO_QUEUE -> undoneInQueue(mails, "arn:aws:sqs:eu-central-1:1:queue.fifo");
        case KAFKA -> undoneInKafka(mails);
        case KINESIS -> undoneInKinesis(mails);
      };
    }

    private Set<Mail> undoneInQueue(List<Mail> mails, String arn) {
      SQSEvent event = new SQSEvent();
      event.setRecords(mails.stream().map(mail -> message(mail, arn)).toList());
      SQSBatchResponse answer = queue.handle(event);
      return answer.getBatchItemFailures().stream()
          .map(failure -> Mail.of(failure.getItemIdentifier()))
          .collect(Collectors.toSet());
    }

    private static SQSMessage message(Mail mail, String arn) {
      SQSMessage message = new SQSMessage();
      message.setMessageId(mail.text());
      message.setBody(mail.text());
      message.setEventSourceArn(arn);
      message.setAttributes(Map.of("MessageGroupId", mail.lane()));
      return message;
    }

    private Set<Mail> undoneInKafka(List<Mail> mails) {
      Map<String, List<KafkaEventRecord>> records = new HashMap<>();
      for (Mail mail : mails) {
        records
            .computeIfAbsent(mail.lane() + "-0", partition -> new ArrayList<>())
            .add(
                KafkaEventRecord.builder()
                    .withTopic(mail.lane())
                    .withPartition(0)
                    .withOffset(mail.offset())
                    .withValue(Base64.getEncoder().encodeToString(mail.text().getBytes(UTF_8)))
                    .build());
      }
      Map<String, Long> first = new HashMap<>();
      kafka
          .handle(KafkaEvent.builder().withRecords(records).build())
          .batchItemFailures()
          .forEach(f -> first.put(f.itemIdentifier().partition(), f.itemIdentifier().offset()));
      return mails.stream()
          .filter(m -> m.offset() >= first.getOrDefault(m.lane() + "-0", Long.MAX_VALUE))
          .collect(Collectors.toSet());
    }

    private Set<Mail> undoneInKinesis(List<Mail> mails) {
      KinesisEvent event = new KinesisEvent();
      event.setRecords(mails.stream().map(Run::record).toList());
      var failures = kinesis.handle(event).getBatchItemFailures();
      long first =
          failures.isEmpty() ? Long.MAX_VALUE : Long.parseLong(failures.get(0).getItemIdentifier());
      return mails.stream().filter(m -> m.offset() >= first).collect(Collectors.toSet());
    }

    private static KinesisEventRecord record(Mail mail) {
      KinesisEvent.Record data = new KinesisEvent.Record();
      data.setSequenceNumber("" + mail.offset());
      data.setPartitionKey(mail.entity());
      data.setData(ByteBuffer.wrap(mail.text().getBytes(UTF_8)));
      KinesisEventRecord record = new KinesisEventRecord();
      record.setKinesis(data);
      record.setEventID(mail.lane() + ":" + mail.offset());
      record.setEventSourceARN("arn:aws:kinesis:eu-central-1:1:stream/mails");
      return record;
    }
  }

  private static String text(KafkaEventRecord record) {
    return new String(KafkaBatch.value(record).orElseThrow(), UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("answers nothing as done that is not, and does all of it in the end")
  void source(Source source) {
    for (long seed = 0; seed < RUNS; seed++) {
      try {
        new Run(seed, source).live();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
