package dev.tidemark.benchmarks.dynamodb;

import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.tidemark.benchmarks.measure.Event;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.Signature;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.lambda.powertools.idempotency.Idempotency;
import software.amazon.lambda.powertools.idempotency.IdempotencyConfig;
import software.amazon.lambda.powertools.idempotency.internal.IdempotencyHandler;
import software.amazon.lambda.powertools.idempotency.persistence.DynamoDBPersistenceStore;

/**
 * AWS Lambda Powertools' idempotency around the change, keyed by the message's id. The handler
 * class to which its {@code @Idempotent} aspect delegates is called directly, so nothing is woven;
 * the aspect's own reflection is left out, which favours it.
 */
final class Powertools {
  private static @Nullable DynamoDBPersistenceStore configured;

  private final ByHand byHand;
  private final DynamoDBPersistenceStore records;

  Powertools(DynamoDbClient client, ByHand byHand) {
    this.byHand = byHand;
    this.records =
        DynamoDBPersistenceStore.builder()
            .withTableName(Tables.PROCESSED)
            .withDynamoDbClient(client)
            .build();
  }

  /** Its configuration is static: one store at a time. */
  private static synchronized void configure(DynamoDBPersistenceStore records) {
    if (configured != records) {
      Idempotency.config()
          .withPersistenceStore(records)
          .withConfig(IdempotencyConfig.builder().build())
          .configure();
      configured = records;
    }
  }

  boolean apply(Event event) throws Exception {
    configure(records);
    AtomicBoolean ran = new AtomicBoolean();
    ProceedingJoinPoint point = joinPoint(event, ran);
    try {
      new IdempotencyHandler(point, "apply", TextNode.valueOf(event.id()), LAMBDA).handle();
    } catch (Exception e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    return ran.get();
  }

  private ProceedingJoinPoint joinPoint(Event event, AtomicBoolean ran) {
    return (ProceedingJoinPoint)
        Proxy.newProxyInstance(
            Powertools.class.getClassLoader(),
            new Class<?>[] {ProceedingJoinPoint.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "proceed" -> {
                    ran.set(byHand.unguarded(event));
                    yield "done";
                  }
                  case "getArgs" -> new Object[] {event};
                  case "getSignature" -> SIGNATURE;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static final Signature SIGNATURE =
      (Signature)
          Proxy.newProxyInstance(
              Powertools.class.getClassLoader(),
              new Class<?>[] {MethodSignature.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("getReturnType")) {
                  return String.class;
                }
                throw new UnsupportedOperationException(method.getName());
              });

  /** Tells Powertools how long the function may still run. */
  private static final Context LAMBDA =
      (Context)
          Proxy.newProxyInstance(
              Powertools.class.getClassLoader(),
              new Class<?>[] {Context.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("getRemainingTimeInMillis")) {
                  return 30_000;
                }
                throw new UnsupportedOperationException(method.getName());
              });
}
