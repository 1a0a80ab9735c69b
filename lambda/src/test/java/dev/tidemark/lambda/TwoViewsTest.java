package dev.tidemark.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent.KafkaEventRecord;
import com.amazonaws.services.lambda.runtime.events.KinesisEvent;
import com.amazonaws.services.lambda.runtime.events.KinesisEvent.KinesisEventRecord;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import dev.tidemark.MessageId;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Two views of one event of Lambda")
final class TwoViewsTest {
  private static final List<String> TEXTS = List.of("order-1:5", "order-2:6", "order-3:7");

  private final Shop orders = new Shop();
  private final Shop payments = new Shop();

  /** What views do. */
  interface Handler extends Function<List<Delivery>, BatchOutcome<?>> {}

  /** A batch of each kind: what its answer names of an event with {@link #TEXTS}. */
  enum Carrier {
    SQS {
      @Override
      List<String> named(Handler handler) {
        SQSEvent event = new SQSEvent();
        event.setRecords(IntStream.range(0, 3).mapToObj(Carrier::message).toList());
        return SqsBatch.of(message -> delivery(message.getMessageId()), handler)
            .handle(event)
            .getBatchItemFailures()
            .stream()
            .map(failure -> failure.getItemIdentifier())
            .toList();
      }
    },
    KINESIS {
      @Override
      List<String> named(Handler handler) {
        KinesisEvent event = new KinesisEvent();
        event.setRecords(IntStream.range(0, 3).mapToObj(Carrier::kinesis).toList());
        return KinesisBatch.of(record -> delivery(new String(record.bytes(), UTF_8)), handler)
            .handle(event)
            .getBatchItemFailures()
            .stream()
            .map(failure -> failure.getItemIdentifier())
            .toList();
      }
    },
    DYNAMODB {
      @Override
      List<String> named(Handler handler) {
        DynamodbEvent event = new DynamodbEvent();
        event.setRecords(IntStream.range(0, 3).mapToObj(Carrier::change).toList());
        return DynamoDbStreamBatch.of(
                record -> delivery(record.getDynamodb().getSequenceNumber()), handler)
            .handle(event)
            .getBatchItemFailures()
            .stream()
            .map(failure -> failure.getItemIdentifier())
            .toList();
      }
    },
    KAFKA {
      @Override
      List<String> named(Handler handler) {
        List<KafkaEventRecord> records = IntStream.range(0, 3).mapToObj(Carrier::kafka).toList();
        KafkaEvent event = KafkaEvent.builder().withRecords(Map.of("orders-0", records)).build();
        return KafkaBatch.of(record -> delivery(record.getOffset() + ""), handler)
            .handle(event)
            .batchItemFailures()
            .stream()
            .map(failure -> failure.itemIdentifier().offset() + "")
            .toList();
      }
    };

    abstract List<String> named(Handler handler);

    private static Delivery delivery(String number) {
      return Shop.delivery(MessageId.of(number), TEXTS.get(Integer.parseInt(number)));
    }

    private static SQSMessage message(int number) {
      SQSMessage message = new SQSMessage();
      message.setMessageId(number + "");
      message.setEventSourceArn("arn:aws:sqs:us-east-2:1:orders");
      return message;
    }

    private static KinesisEventRecord kinesis(int number) {
      KinesisEvent.Record record = new KinesisEvent.Record();
      record.setSequenceNumber(number + "");
      record.setData(ByteBuffer.wrap((number + "").getBytes(UTF_8)));
      KinesisEventRecord event = new KinesisEventRecord();
      event.setKinesis(record);
      event.setEventID("shardId-0:" + number);
      event.setEventSourceARN("arn:aws:kinesis:us-east-2:1:stream/orders");
      return event;
    }

    private static DynamodbStreamRecord change(int number) {
      DynamodbStreamRecord record = new DynamodbStreamRecord();
      record.setEventSourceARN("arn:aws:dynamodb:us-east-1:1:table/orders/stream/1");
      record.setDynamodb(new StreamRecord().withSequenceNumber(number + ""));
      return record;
    }

    private static KafkaEventRecord kafka(int number) {
      return KafkaEventRecord.builder()
          .withTopic("orders")
          .withPartition(0)
          .withOffset(number)
          .withValue(Base64.getEncoder().encodeToString(new byte[1]))
          .build();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("are one batch, whose answer names what one of them has not done")
  void together(Carrier carrier) {
    for (boolean isFirst : new boolean[] {true, false}) {
      Shop behind = new Shop();
      Shop other = new Shop();
      Handler both =
          given ->
              isFirst
                  ? behind.handle(given).and(other.handle(given))
                  : other.handle(given).and(behind.handle(given));
      behind.away.add("order-3");
      assertEquals(List.of("2"), carrier.named(both));
      behind.away.clear();
      assertEquals(List.of(), carrier.named(both));
      assertEquals(List.of(7L, 7L), List.of(behind.total("order-3"), other.total("order-3")));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("come again as a whole where one of them throws, in one batch and in two")
  void thrown(Carrier carrier) {
    for (Shop behind : List.of(orders, payments)) {
      behind.closed = true;
      assertThrows(
          IllegalStateException.class,
          () -> carrier.named(given -> orders.handle(given).and(payments.handle(given))));
      assertThrows(
          IllegalStateException.class,
          () -> List.of(carrier.named(orders::handle), carrier.named(payments::handle)));
      behind.closed = false;
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("in two batches have two answers, each of which says nothing of the other view")
  void apart(Carrier carrier) {
    orders.away.add("order-3");
    assertEquals(List.of("2"), carrier.named(orders::handle));
    assertEquals(List.of(), carrier.named(payments::handle));
  }
}
