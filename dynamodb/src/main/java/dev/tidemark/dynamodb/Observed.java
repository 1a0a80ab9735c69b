package dev.tidemark.dynamodb;

import dev.tidemark.metrics.StoreCall;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.StoreObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.metrics.CoreMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The requests of one call, counted and measured: a transport around the store's, since the calls
 * of an asynchronous client interleave on its threads.
 *
 * @param transport the store's
 * @param observation is told of requests and items; null where nobody listens
 * @param pressure is told of throttling
 */
record Observed(
    Transport transport,
    @Nullable Observation observation,
    Pressure pressure,
    Keys keys,
    Names names)
    implements Transport {

  /** Makes a call and tells of it when it has ended. */
  static <R> CompletableFuture<R> tell(
      StoreObserver observer,
      StoreCall.Method method,
      Function<Observation, CompletableFuture<R>> call) {
    Observation observation = observer.start(method);
    return Transport.start(() -> call.apply(observation))
        .whenComplete(
            (result, error) -> {
              if (error == null) {
                observation.ended(result);
              } else {
                observation.failed(Errors.unwrap(error));
              }
            });
  }

  /** What became of the attempts that the SDK made for one request. */
  private static final class Attempts implements MetricPublisher {
    private final List<MetricCollection> attempts = new CopyOnWriteArrayList<>();

    @Override
    public void publish(MetricCollection call) {
      call.childrenWithName("ApiCallAttempt").forEach(attempts::add);
    }

    @Override
    public void close() {}

    /** How often the SDK tried again. */
    int repeats() {
      return Math.max(1, attempts.size()) - 1;
    }

    /** Whether the server asked for fewer requests. */
    boolean wereThrottled() {
      return attempts.stream()
          .anyMatch(one -> one.metricValues(CoreMetric.ERROR_TYPE).contains("Throttling"));
    }
  }

  @Override
  public <Q extends DynamoDbRequest, R> CompletableFuture<R> send(Verb<Q, R> verb, Q request) {
    Attempts attempts = new Attempts();
    int epoch = pressure.epoch();
    Q measured = observation == null ? request : verb.measured().apply(request);
    if (observation != null) {
      start(observation, verb);
    }
    return transport
        .send(verb, watched(measured, attempts))
        .whenComplete(
            (reply, error) -> {
              Throwable plain = error == null ? null : Errors.unwrap(error);
              pressure.saw(epoch, isThrottled(attempts, reply, plain));
              if (observation != null) {
                observation.repeated(Math.max(attempts.repeats(), Errors.repeats(plain)));
                ended(observation, request, reply, plain);
              }
            });
  }

  private static void start(Observation observation, Verb<?, ?> verb) {
    if (verb == GET || verb == BATCH_GET) {
      observation.read();
    } else {
      observation.write();
    }
  }

  /** The request's publishers replace the client's, which are therefore told besides. */
  @SuppressWarnings("unchecked")
  private <Q extends DynamoDbRequest> Q watched(Q request, Attempts attempts) {
    Optional<AwsRequestOverrideConfiguration> own = request.overrideConfiguration();
    AwsRequestOverrideConfiguration.Builder builder =
        own.map(AwsRequestOverrideConfiguration::toBuilder)
            .orElseGet(AwsRequestOverrideConfiguration::builder);
    if (own.isEmpty() || own.get().metricPublishers().isEmpty()) {
      metricPublishers().forEach(builder::addMetricPublisher);
    }
    builder.addMetricPublisher(attempts);
    return (Q) request.toBuilder().overrideConfiguration(builder.build()).build();
  }

  private static boolean isThrottled(
      Attempts attempts, @Nullable Object reply, @Nullable Throwable error) {
    return attempts.wereThrottled()
        || (reply instanceof BatchGetItemResponse batch && !batch.unprocessedKeys().isEmpty())
        || (error instanceof DynamoDbException service && service.isThrottlingException());
  }

  private void ended(
      Observation to, DynamoDbRequest request, @Nullable Object reply, @Nullable Throwable error) {
    if (error instanceof ConditionalCheckFailedException) {
      saw(to, Errors.item(error));
    } else if (reply instanceof GetItemResponse get) {
      consumed(get, to::readUnits);
      saw(to, get.item());
    } else if (reply instanceof BatchGetItemResponse batch) {
      batch.consumedCapacity().forEach(units -> to.readUnits(units.capacityUnits()));
      batch.responses().values().forEach(items -> items.forEach(item -> saw(to, item)));
    } else if (reply instanceof SdkResponse written) {
      consumed(written, to::writeUnits);
      if (request instanceof DeleteItemRequest delete) {
        to.size(delete.key(), null);
      } else {
        saw(
            to,
            written instanceof UpdateItemResponse update
                ? update.attributes()
                : ((PutItemRequest) request).item());
      }
    }
  }

  private static void consumed(SdkResponse reply, java.util.function.DoubleConsumer units) {
    reply
        .getValueForField("ConsumedCapacity", ConsumedCapacity.class)
        .map(ConsumedCapacity::capacityUnits)
        .ifPresent(units::accept);
  }

  /** An item as a reply has it; an empty one is none. */
  private void saw(Observation to, Map<String, AttributeValue> item) {
    if (!item.isEmpty()) {
      to.size(keys.of(item), Sizes.of(item, names));
    }
  }

  @Override
  public CompletableFuture<Void> pause(Duration pause) {
    return transport.pause(pause);
  }

  @Override
  public boolean isInterrupted() {
    return transport.isInterrupted();
  }

  @Override
  public List<MetricPublisher> metricPublishers() {
    return transport.metricPublishers();
  }
}
