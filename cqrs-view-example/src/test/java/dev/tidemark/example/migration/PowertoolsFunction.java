package dev.tidemark.example.migration;

import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Supplier;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.lambda.powertools.idempotency.Idempotency;
import software.amazon.lambda.powertools.idempotency.IdempotencyConfig;
import software.amazon.lambda.powertools.idempotency.internal.IdempotencyHandler;
import software.amazon.lambda.powertools.idempotency.persistence.DynamoDBPersistenceStore;

/**
 * A method that is {@code @Idempotent} of Powertools. The class to which the aspect delegates is
 * called directly, so nothing is woven.
 */
final class PowertoolsFunction {
  static final String NAME = "checkout";

  /** The key of a request is its key, and its amount must be the same. */
  static final IdempotencyConfig CONFIG =
      IdempotencyConfig.builder()
          .withEventKeyJMESPath("key")
          .withPayloadValidationJMESPath("cents")
          .build();

  /** An invocation that has half a minute left. */
  static final Context CONTEXT =
      proxy(Context.class, Map.of("getRemainingTimeInMillis", () -> 30_000));

  private PowertoolsFunction() {}

  /** Powertools has one configuration in a process. */
  static void configure(DynamoDbClient client, String table) {
    Idempotency.config().withPersistenceStore(store(client, table)).withConfig(CONFIG).configure();
  }

  static DynamoDBPersistenceStore store(DynamoDbClient client, String table) {
    return DynamoDBPersistenceStore.builder()
        .withTableName(table)
        .withDynamoDbClient(client)
        .build();
  }

  /** Calls the method through Powertools. */
  static <R> R call(JsonNode event, Class<R> type, Supplier<R> body) {
    MethodSignature signature = proxy(MethodSignature.class, Map.of("getReturnType", () -> type));
    ProceedingJoinPoint point =
        proxy(
            ProceedingJoinPoint.class,
            Map.of(
                "proceed", body,
                "getArgs", () -> new Object[] {event},
                "getSignature", () -> signature));
    try {
      return type.cast(new IdempotencyHandler(point, NAME, event, CONTEXT).handle());
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static <P> P proxy(Class<P> type, Map<String, Supplier<?>> methods) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Supplier<?> answer = methods.get(method.getName());
              if (answer == null) {
                throw new UnsupportedOperationException(method.getName());
              }
              return answer.get();
            }));
  }
}
