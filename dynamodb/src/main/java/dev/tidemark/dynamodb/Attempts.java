package dev.tidemark.dynamodb;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.metrics.CoreMetric;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * What became of the attempts that the SDK made for one request: it repeats a write whose reply was
 * lost as if it were new. Seen through the request's metrics.
 */
final class Attempts implements MetricPublisher {
  private static final int SERVER_ERROR = 500;

  private final List<MetricCollection> attempts = new CopyOnWriteArrayList<>();
  private final List<MetricPublisher> others;

  /** The request's publisher replaces the client's, which are therefore told by this one. */
  Attempts(List<MetricPublisher> others) {
    this.others = others;
  }

  /** A request's configuration that lets its attempts be seen. */
  AwsRequestOverrideConfiguration observe(@Nullable AwsRequestOverrideConfiguration own) {
    AwsRequestOverrideConfiguration.Builder builder =
        own == null ? AwsRequestOverrideConfiguration.builder() : own.toBuilder();
    if (own == null || own.metricPublishers().isEmpty()) {
      others.forEach(builder::addMetricPublisher);
    }
    return builder.addMetricPublisher(this).build();
  }

  @Override
  public void publish(MetricCollection call) {
    call.childrenWithName("ApiCallAttempt").forEach(attempts::add);
  }

  @Override
  public void close() {}

  /** Whether an attempt before the last may have been applied. */
  boolean wereUncertain(@Nullable Throwable error) {
    int before = (attempts.isEmpty() ? countedBy(error) : attempts.size()) - 1;
    for (int attempt = 0; attempt < before; attempt++) {
      boolean certain = attempt < attempts.size() && !isUncertain(attempts.get(attempt));
      if (!certain && !Unsent.wasUnsent(error, attempt)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the SDK tried more than once. */
  boolean wereRepeated(@Nullable Throwable error) {
    return repeats(error) > 0;
  }

  /** How often the SDK tried again. */
  int repeats(@Nullable Throwable error) {
    return Math.max(1, Math.max(attempts.size(), countedBy(error))) - 1;
  }

  /** Whether the server asked for fewer requests. */
  boolean wereThrottled(@Nullable Throwable error) {
    for (MetricCollection attempt : attempts) {
      if (isThrottled(attempt)) {
        return true;
      }
    }
    return error instanceof DynamoDbException service && service.isThrottlingException();
  }

  private static boolean isThrottled(MetricCollection attempt) {
    return attempt.metricValues(CoreMetric.ERROR_TYPE).contains("Throttling");
  }

  /** Whether the server answered the last attempt with success, though the client then failed. */
  boolean succeededLast() {
    return !attempts.isEmpty() && status(attempts.get(attempts.size() - 1)) == 200;
  }

  private static int countedBy(@Nullable Throwable error) {
    Integer counted = error instanceof SdkException sdk ? sdk.numAttempts() : null;
    return counted == null ? 0 : counted;
  }

  /** Certain: the server said no, or that it was throttling. */
  private static boolean isUncertain(MetricCollection attempt) {
    if (isThrottled(attempt)) {
      return false;
    }
    int status = status(attempt);
    return status < 400 || status >= SERVER_ERROR;
  }

  private static int status(MetricCollection attempt) {
    List<Integer> codes = attempt.metricValues(HttpMetric.HTTP_STATUS_CODE);
    return codes.isEmpty() ? 0 : codes.get(codes.size() - 1);
  }
}
