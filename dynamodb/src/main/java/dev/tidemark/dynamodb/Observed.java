package dev.tidemark.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity.TOTAL;

import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Observation;
import dev.tidemark.kernel.StoreObserver;
import dev.tidemark.metrics.StoreCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The requests of one call, counted and measured: a transport around the store's, since the calls
 * of an asynchronous client interleave on its threads.
 */
final class Observed implements Transport {
  private final Transport transport;
  private final Observation observation;
  private final Keys keys;
  private final Names names;

  Observed(Writes<?> writes, Observation observation) {
    this.transport = writes.transport();
    this.observation = observation;
    this.keys = writes.mapping().keys();
    this.names = writes.names();
  }

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

  @Override
  public CompletableFuture<GetItemResponse> get(GetItemRequest request) {
    observation.read();
    return send(
        request.overrideConfiguration(),
        configuration ->
            transport.get(
                request.toBuilder()
                    .returnConsumedCapacity(TOTAL)
                    .overrideConfiguration(configuration)
                    .build()),
        reply -> {
          consumed(reply.consumedCapacity(), observation::readUnits);
          saw(reply.item());
        });
  }

  @Override
  public CompletableFuture<BatchGetItemResponse> get(BatchGetItemRequest request) {
    observation.read();
    return send(
        request.overrideConfiguration(),
        configuration ->
            transport.get(
                request.toBuilder()
                    .returnConsumedCapacity(TOTAL)
                    .overrideConfiguration(configuration)
                    .build()),
        reply -> {
          reply.consumedCapacity().forEach(units -> consumed(units, observation::readUnits));
          reply.responses().values().forEach(items -> items.forEach(this::saw));
        });
  }

  @Override
  public CompletableFuture<UpdateItemResponse> update(UpdateItemRequest request) {
    observation.write();
    return send(
        request.overrideConfiguration(),
        configuration ->
            transport.update(
                request.toBuilder()
                    .returnConsumedCapacity(TOTAL)
                    .overrideConfiguration(configuration)
                    .build()),
        reply -> {
          consumed(reply.consumedCapacity(), observation::writeUnits);
          saw(reply.attributes());
        });
  }

  @Override
  public CompletableFuture<PutItemResponse> put(PutItemRequest request) {
    observation.write();
    return send(
        request.overrideConfiguration(),
        configuration ->
            transport.put(
                request.toBuilder()
                    .returnConsumedCapacity(TOTAL)
                    .overrideConfiguration(configuration)
                    .build()),
        reply -> {
          consumed(reply.consumedCapacity(), observation::writeUnits);
          saw(request.item());
        });
  }

  @Override
  public CompletableFuture<DeleteItemResponse> delete(DeleteItemRequest request) {
    observation.write();
    return send(
        request.overrideConfiguration(),
        configuration ->
            transport.delete(
                request.toBuilder()
                    .returnConsumedCapacity(TOTAL)
                    .overrideConfiguration(configuration)
                    .build()),
        reply -> {
          consumed(reply.consumedCapacity(), observation::writeUnits);
          observation.size(request.key(), null);
        });
  }

  private <R> CompletableFuture<R> send(
      Optional<AwsRequestOverrideConfiguration> own,
      Function<AwsRequestOverrideConfiguration, CompletableFuture<R>> request,
      Consumer<R> answered) {
    Attempts attempts = new Attempts(transport.metricPublishers());
    return request
        .apply(attempts.observe(own.orElse(null)))
        .whenComplete(
            (reply, error) -> {
              Throwable plain = error == null ? null : Errors.unwrap(error);
              observation.repeated(attempts.repeats(plain));
              if (plain == null) {
                answered.accept(reply);
              } else if (plain instanceof ConditionalCheckFailedException) {
                saw(Errors.item(plain));
              }
            });
  }

  private static void consumed(@Nullable ConsumedCapacity capacity, DoubleConsumer units) {
    if (capacity != null && capacity.capacityUnits() != null) {
      units.accept(capacity.capacityUnits());
    }
  }

  /** An item as a reply has it; an empty one is none. */
  private void saw(Map<String, AttributeValue> item) {
    if (!item.isEmpty()) {
      observation.size(keys.of(item), Sizes.of(item, names));
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
