package dev.tidemark.example.migration;

// snippet: migration-powertools-function
import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.tidemark.EntityStore;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.Executions;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

public final class ChargeFunction implements RequestHandler<Checkout, Receipt> {
  private final Provider provider;
  private final EntityStore<Order> orders;
  private final Executions checkouts;

  public ChargeFunction(Provider provider, DynamoDbClient client, DynamoDbTable<Order> orders) {
    this.provider = provider;
    this.orders = DynamoDbEntityStore.of(client, orders);
    this.checkouts = Executions.of("checkout", DynamoDbRecordStore.of(client, "executions"));
  }

  @Override // @Idempotent in the version both, without it in next
  public Receipt handleRequest(Checkout request, Context context) {
    return checkouts
        .within(context::getRemainingTimeInMillis)
        .run(
            request.key(),
            request.order() + " " + request.cents(), // has to be the same under the key
            Receipt.class,
            Completion.in(
                orders,
                key(request.order()), // which has one checkout; for several see below
                order -> new Receipt(order.getCharge(), request.cents())),
            steps -> {
              String charge = provider.charge(request.key(), request.cents()); // once per key
              return change().add("total", request.cents()).set("charge", charge);
            })
        .orElseThrow(); // NotExecutedException, and the delivery comes again
  }
}
// end
