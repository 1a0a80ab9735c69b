package dev.tidemark.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.aws.QueueService.Mail;
import dev.tidemark.intake.IntakeListener;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;

@DisplayName("The heartbeat of a queue's messages")
class HeartbeatTest {
  private static final Logger LOG = Logger.getLogger(SqsIntake.class.getName());

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @Test
  @DisplayName("says once in the log that SQS denies it, and goes on trying")
  void denied() throws Exception {
    LOG.addHandler(handler);
    try (QueueService service = new QueueService();
        SqsClient client = service.client()) {
      service.denied = "hide";
      service.batch(new Mail("a", "g", 1));
      CountDownLatch beats = new CountDownLatch(3);
      service.whenHidden = beats::countDown;
      Queue queue = new Queue(client, "http://127.0.0.1/0/orders");
      var messages = queue.receive(Duration.ofSeconds(1), null);
      try (Heartbeat.Work work = new Heartbeat(queue).over(messages, Duration.ofSeconds(1))) {
        assertTrue(beats.await(10, TimeUnit.SECONDS), "no three beats within ten seconds");
      }
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.get(0).contains("(AccessDeniedException)"), lines::toString);
    } finally {
      LOG.removeHandler(handler);
    }
  }

  @Test
  @DisplayName("is not all that tells of SQS: the log says what a consumer may not do, and once")
  void consumer() throws Exception {
    assertTellsOnce(taken -> {});
  }

  @Test
  @DisplayName("nor is it silent of that where an interrupt ends the consumer")
  void interrupted() throws Exception {
    assertTellsOnce(taken -> Thread.currentThread().interrupt());
    assertTrue(Thread.interrupted());
  }

  private void assertTellsOnce(IntakeListener listener) throws Exception {
    LOG.addHandler(handler);
    try (QueueService service = new QueueService();
        SqsClient client = service.client()) {
      service.denied = "delete";
      for (int i = 0; i < 2; i++) {
        service.batch(new Mail("a", "g", 1));
      }
      String url = "http://127.0.0.1/0/orders";
      SqsIntake intake =
          SqsIntake.of(client, url, new Tally().builder(url).listener(listener).build());
      service.whenEmpty = intake::stop;
      intake.run();
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.get(0).contains(url + " asks for: DeleteMessage"), lines::toString);
      assertTrue(lines.get(0).contains("(AccessDeniedException)"), lines::toString);
    } finally {
      LOG.removeHandler(handler);
    }
  }
}
