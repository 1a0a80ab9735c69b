// snippet: start-lambda-mongodb
package shop;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.lambda.SqsBatch;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.projector.Projector;

public final class OrderRowsFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
  private final SqsBatch batch;

  public OrderRowsFunction() { // called by Lambda
    this(MongoClients.create(System.getenv("MONGODB_URI"))); // with timeoutMS=3000
  }

  OrderRowsFunction(MongoClient client) {
    var rows = client.getDatabase("shop").getCollection("orders", OrderRow.class);
    Projector<OrderRow> orders = OrderProjector.into(MongoEntityStore.of(rows));
    batch = SqsBatch.of(message -> OrderEvent.parse(message.getBody()).delivery(), orders::handle);
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    return batch.handle(event); // names what has to come again
  }
}
// end
