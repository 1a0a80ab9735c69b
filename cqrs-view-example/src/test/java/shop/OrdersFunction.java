// snippet: start-lambda
package shop;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.tidemark.Result;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.projector.Projector;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

public final class OrdersFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
  private final Projector<Order> projector;

  public OrdersFunction() { // called by Lambda
    this(DynamoDbClient.create());
  }

  OrdersFunction(DynamoDbClient client) {
    projector =
        OrderProjector.into(
            DynamoDbEntityStore.of(
                client,
                DynamoDbEnhancedClient.builder()
                    .dynamoDbClient(client)
                    .build()
                    .table("orders", TableSchema.fromBean(Order.class))));
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    List<SQSEvent.SQSMessage> messages = event.getRecords();
    List<? extends Result<?>> results =
        projector
            .handle(messages.stream().map(m -> OrderEvent.parse(m.getBody()).delivery()).toList())
            .results();
    return new SQSBatchResponse(
        IntStream.range(0, messages.size())
            .filter(i -> !results.get(i).isDone()) // these come again
            .mapToObj(i -> messages.get(i).getMessageId())
            .map(SQSBatchResponse.BatchItemFailure::new)
            .toList());
  }
}
// end
