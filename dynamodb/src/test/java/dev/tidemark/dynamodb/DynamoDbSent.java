package dev.tidemark.dynamodb;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/** The requests that a client was given, and what the replies say that they consumed. */
final class DynamoDbSent implements ExecutionInterceptor {
  private final List<SdkRequest> requests = new CopyOnWriteArrayList<>();
  private final List<SdkResponse> replies = new CopyOnWriteArrayList<>();

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    requests.add(context.request());
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    replies.add(context.response());
  }

  private static boolean isRead(Object message) {
    return message.getClass().getSimpleName().contains("Get");
  }

  int reads() {
    return (int) requests.stream().filter(DynamoDbSent::isRead).count();
  }

  int writes() {
    return requests.size() - reads();
  }

  /** How many of them asked for the capacity that they consume. */
  long asking() {
    return requests.stream()
        .map(request -> request.getValueForField("ReturnConsumedCapacity", String.class))
        .filter(Optional::isPresent)
        .count();
  }

  double units(boolean ofReads) {
    return replies.stream()
        .filter(reply -> isRead(reply) == ofReads)
        .flatMap(
            reply ->
                reply.getValueForField("ConsumedCapacity", Object.class).stream()
                    .flatMap(
                        units ->
                            units instanceof List<?> many
                                ? many.stream()
                                : List.of(units).stream()))
        .mapToDouble(units -> ((ConsumedCapacity) units).capacityUnits())
        .sum();
  }

  void clear() {
    requests.clear();
    replies.clear();
  }
}
