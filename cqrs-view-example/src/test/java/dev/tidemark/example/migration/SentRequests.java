package dev.tidemark.example.migration;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Notes the actions that a client is asked for, by table. */
final class SentRequests {
  private final Set<String> actions = new TreeSet<>();

  /** The same client, whose actions are noted. */
  DynamoDbClient noting(DynamoDbClient client) {
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(),
            new Class<?>[] {DynamoDbClient.class},
            (proxy, method, arguments) -> {
              if (arguments != null && arguments[0] instanceof DynamoDbRequest request) {
                String action = request.getClass().getSimpleName().replace("Request", "");
                actions.add(
                    request.getValueForField("TableName", String.class).orElse("") + ":" + action);
              }
              try {
                return method.invoke(client, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** The actions so far, as {@code table:action}. */
  Set<String> actions() {
    return Set.copyOf(actions);
  }
}
