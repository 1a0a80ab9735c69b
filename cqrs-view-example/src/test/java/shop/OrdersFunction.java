// snippet: start-lambda
package shop;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.lambda.SqsBatch;
import dev.tidemark.projector.Projector;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

public final class OrdersFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
  private final SqsBatch batch;

  public OrdersFunction() { // called by Lambda
    this(DynamoDbClient.create());
  }

  OrdersFunction(DynamoDbClient client) {
    DynamoDbTable<Order> table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .build()
            .table("orders", TableSchema.fromBean(Order.class));
    Projector<Order> orders = OrderProjector.into(DynamoDbEntityStore.of(client, table));
    batch = SqsBatch.of(message -> OrderEvent.parse(message.getBody()).delivery(), orders::handle);
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    return batch.handle(event); // names what has to come again
  }
}
// end
