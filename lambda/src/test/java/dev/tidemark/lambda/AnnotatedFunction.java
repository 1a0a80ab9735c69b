package dev.tidemark.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.lambda.powertools.logging.Logging;
import software.amazon.lambda.powertools.tracing.CaptureMode;
import software.amazon.lambda.powertools.tracing.Tracing;

/**
 * A function whose handler has annotations of Powertools. {@link PowertoolsTest} loads it by a
 * class loader that weaves them, and calls it by {@link #apply}, whose types both loaders share.
 */
public final class AnnotatedFunction
    implements RequestHandler<SQSEvent, SQSBatchResponse>, Function<List<String>, List<String>> {
  private final Shop shop = new Shop();
  private final SqsBatch batch =
      SqsBatch.of(
          message -> Shop.delivery(SqsBatch.identity(message), message.getBody()), shop::handle);

  @Override
  @Logging(logEvent = true)
  @Tracing(captureMode = CaptureMode.DISABLED)
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    return batch.handle(event);
  }

  /** Takes the texts of messages; the answer names those that come again, and tells a total. */
  @Override
  public List<String> apply(List<String> bodies) {
    SQSEvent event = new SQSEvent();
    event.setRecords(bodies.stream().map(AnnotatedFunction::message).toList());
    SQSBatchResponse answer = handleRequest(event, context());
    return Stream.concat(
            answer.getBatchItemFailures().stream()
                .map(BatchItemFailure::getItemIdentifier)
                .map(id -> bodies.stream().filter(body -> message(body).getMessageId().equals(id)))
                .map(found -> found.findFirst().orElseThrow() + " comes again"),
            Stream.of("the total is " + shop.total("order-1")))
        .toList();
  }

  private static SQSMessage message(String body) {
    SQSMessage message = new SQSMessage();
    message.setMessageId(UUID.nameUUIDFromBytes(body.getBytes(UTF_8)).toString());
    message.setBody(body);
    message.setEventSourceArn("arn:aws:sqs:us-east-2:123456789012:orders");
    return message;
  }

  private static Context context() {
    return (Context)
        Proxy.newProxyInstance(
            AnnotatedFunction.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) ->
                method.getReturnType() == int.class ? Integer.valueOf(30_000) : null);
  }
}
