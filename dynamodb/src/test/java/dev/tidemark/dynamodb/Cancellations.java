package dev.tidemark.dynamodb;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Reasons of cancelled transactions that DynamoDB may give and DynamoDB Local does not. */
final class Cancellations {
  private Cancellations() {}

  /** Makes another reason of one that an item has. */
  interface Edit {
    CancellationReason edit(int item, CancellationReason reason);
  }

  /** A client that tells other reasons of the first transaction that is cancelled. */
  static DynamoDbClient edited(DynamoDbClient client, Edit edit) {
    AtomicBoolean edited = new AtomicBoolean();
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(),
            new Class<?>[] {DynamoDbClient.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(client, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() instanceof TransactionCanceledException cancelled
                        && edited.compareAndSet(false, true)
                    ? edited(cancelled, edit)
                    : e.getCause();
              }
            });
  }

  static TransactionCanceledException edited(TransactionCanceledException cancelled, Edit edit) {
    List<CancellationReason> reasons = new ArrayList<>();
    for (int i = 0; i < cancelled.cancellationReasons().size(); i++) {
      reasons.add(edit.edit(i, cancelled.cancellationReasons().get(i)));
    }
    return cancelled.toBuilder().cancellationReasons(reasons).build();
  }
}
