package dev.tidemark.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Keeps messages hidden from other consumers while work on them goes on: asks for the whole
 * visibility timeout again each time a third of it has passed. One daemon thread for all workers,
 * which is there while there is work.
 */
final class Heartbeat {
  private static final System.Logger LOG = System.getLogger(SqsIntake.class.getName());
  private static final int IDLE_SECONDS = 10;

  private final Queue queue;
  private final ScheduledThreadPoolExecutor timer;

  /** Whether the last beat failed, which the log has then. */
  private final AtomicBoolean isFailing = new AtomicBoolean();

  Heartbeat(Queue queue) {
    this.queue = queue;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "tidemark-sqs-heartbeat");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  /** Beats for these messages until closed; there is no beat after that. */
  Work over(List<Message> messages, Duration timeout) {
    return new Work(messages, timeout);
  }

  /** Once until a beat succeeds. */
  private void tell(Throwable fault) {
    if (!isFailing.getAndSet(true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "SQS does not hide messages longer ({0}) while they are worked on, so that others may get"
              + " them too; does the consumer have the right to ChangeMessageVisibility?",
          code(fault));
    }
  }

  static String code(Throwable fault) {
    AwsErrorDetails details =
        fault instanceof AwsServiceException answer ? answer.awsErrorDetails() : null;
    String code = details == null ? null : details.errorCode();
    return code == null ? fault.getClass().getSimpleName() : code;
  }

  final class Work implements Runnable, AutoCloseable {
    private final List<Message> messages;
    private final Duration timeout;
    private final Future<?> beats;
    private boolean isClosed;

    private Work(List<Message> messages, Duration timeout) {
      this.messages = new ArrayList<>(messages);
      this.timeout = timeout;
      long third = timeout.toMillis() / 3;
      this.beats = timer.scheduleAtFixedRate(this, third, third, TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized void run() {
      if (isClosed || messages.isEmpty()) {
        return;
      }
      try {
        messages.removeAll(queue.hide(messages, message -> timeout, timeout.dividedBy(3)));
        isFailing.set(false);
      } catch (Throwable e) { // the next beat tries again; what is late is a duplicate
        tell(e);
      }
    }

    @Override
    public synchronized void close() {
      isClosed = true;
      var unused = beats.cancel(false);
    }
  }
}
