package dev.tidemark.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.KinesisEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.tidemark.MessageId;
import dev.tidemark.intake.Intake;
import java.nio.ByteBuffer;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The log of a function")
final class BatchLogTest {
  private final Logger logger = Logger.getLogger(Intake.class.getName());
  private final Lines lines = new Lines();
  private final Shop shop = new Shop();

  /** What is logged. */
  private static final class Lines extends Handler {
    private final List<String> said = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      said.add(MessageFormat.format(line.getMessage(), line.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    logger.addHandler(lines);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void end() {
    logger.removeHandler(lines);
    logger.setUseParentHandlers(true);
  }

  private SqsBatch queue() {
    return SqsBatch.of(
        message -> shop.decoded(MessageId.of(message.getMessageId()), message.getBody()),
        shop::handle);
  }

  private static SQSEvent event(String body) {
    SQSMessage message = new SQSMessage();
    message.setMessageId("m1");
    message.setEventSourceArn("arn:aws:sqs:eu-central-1:123456789012:orders");
    message.setBody(body);
    SQSEvent event = new SQSEvent();
    event.setRecords(List.of(message));
    return event;
  }

  private void assertSaid(List<String> reasons) {
    assertEquals(reasons.size(), lines.said.size(), lines.said::toString);
    for (int i = 0; i < reasons.size(); i++) {
      String line = lines.said.get(i);
      assertTrue(line.contains("come again: 1 × " + reasons.get(i) + "."), line);
    }
  }

  @Test
  @DisplayName("tells in each invocation what comes again, since there may be no later one")
  void again() {
    SqsBatch batch = queue();
    shop.failing.add("order-1");
    assertEquals(1, batch.handle(event("order-1:5")).getBatchItemFailures().size());
    assertEquals(1, batch.handle(event("no event")).getBatchItemFailures().size());
    assertSaid(List.of("NullPointerException", "cannot be decoded: IllegalArgumentException"));
    assertEquals(0, batch.handle(event("order-2:5")).getBatchItemFailures().size());
    assertEquals(2, lines.said.size(), lines.said::toString);
  }

  @Test
  @DisplayName("does so for the records of a stream")
  void stream() {
    KinesisBatch batch =
        KinesisBatch.of(
            record -> shop.decoded(record.place(), new String(record.bytes(), UTF_8)),
            shop::handle);
    shop.failing.add("order-1");
    KinesisEvent.Record data = new KinesisEvent.Record();
    data.setSequenceNumber("1");
    data.setPartitionKey("key");
    data.setData(ByteBuffer.wrap("order-1:5".getBytes(UTF_8)));
    KinesisEvent.KinesisEventRecord record = new KinesisEvent.KinesisEventRecord();
    record.setEventID("shardId-000000000006:1");
    record.setEventSourceARN("arn:aws:kinesis:us-east-2:123456789012:stream/orders");
    record.setKinesis(data);
    KinesisEvent event = new KinesisEvent();
    event.setRecords(List.of(record));
    for (int i = 0; i < 2; i++) {
      assertEquals(1, batch.handle(event).getBatchItemFailures().size());
    }
    assertSaid(List.of("NullPointerException", "NullPointerException"));
  }
}
