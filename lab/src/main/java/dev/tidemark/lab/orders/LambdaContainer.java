package dev.tidemark.lab.orders;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.example.orderhistory.lambda.SqsHandler;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.sqs.SqsClient;

/** One container of the Lambda function: takes an event of SQS as JSON, and gives its answer. */
final class LambdaContainer implements UnaryOperator<String>, AutoCloseable {
  private final SqsClient sqs;
  private final LambdaRuntime<SQSEvent, SQSBatchResponse> runtime;

  LambdaContainer(Brief brief, Function<List<Delivery>, BatchOutcome<?>> handler) {
    sqs = LocalSqs.client(URI.create(brief.get("sqs")));
    runtime =
        new LambdaRuntime<>(
            new SqsHandler(handler, SqsDeadLetters.of(sqs, brief.get("deadLetters"))),
            SQSEvent.class,
            SQSBatchResponse.class);
  }

  @Override
  public String apply(String event) {
    return runtime.apply(event);
  }

  @Override
  public void close() {
    sqs.close();
  }
}
