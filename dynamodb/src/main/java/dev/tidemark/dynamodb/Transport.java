package dev.tidemark.dynamodb;

import dev.tidemark.metrics.Ongoing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Carries exchanges with DynamoDB, on a blocking or an asynchronous client. On the former every
 * future is complete when it is returned, and the calling thread does all the work.
 */
interface Transport {
  /** Requests that follow each other, without I/O. For one thread at a time. */
  interface Exchange {
    /** What to do next; null if there is nothing more. */
    @Nullable Turn next();

    /** Begins to send what was next, on a thread that may be any; closed on the same thread. */
    default Ongoing.Scope sending() {
      return Ongoing.Scope.NONE;
    }

    /** Takes the reply to the request that was next. */
    void replied(DynamoDbResponse reply);

    /** Takes what ended the request that was next; what it throws ends the exchange. */
    void failed(Throwable error);
  }

  /** One step of an exchange. */
  sealed interface Turn {
    /** A request to send. */
    record Ask(DynamoDbRequest request) implements Turn {}

    /** Nothing for a while; an interrupted thread that waits goes on at once. */
    record Pause(Duration time) implements Turn {}
  }

  /** Ends when the exchange has nothing more to do, or with what it throws. */
  CompletableFuture<Void> carry(Exchange exchange);

  /** What sends the requests. */
  AwsClient client();

  /** Exchanges on the calling thread. */
  record Blocking(DynamoDbClient client) implements Transport {
    @Override
    public CompletableFuture<Void> carry(Exchange exchange) {
      try {
        for (Turn turn = exchange.next(); turn != null; turn = exchange.next()) {
          if (turn instanceof Turn.Ask ask) {
            take(exchange, ask.request());
          } else {
            pause(((Turn.Pause) turn).time());
          }
        }
        return CompletableFuture.completedFuture(null);
      } catch (Throwable e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private void take(Exchange exchange, DynamoDbRequest request) {
      DynamoDbResponse reply;
      try {
        reply =
            Transport.<DynamoDbResponse>sent(
                request,
                client::updateItem,
                client::putItem,
                client::deleteItem,
                client::getItem,
                client::batchGetItem);
      } catch (RuntimeException e) {
        exchange.failed(e);
        return;
      }
      exchange.replied(reply);
    }

    /** An interrupted thread does not pause; it stays interrupted. */
    private void pause(Duration pause) {
      long end = System.nanoTime() + pause.toNanos();
      long left = pause.toNanos();
      while (left > 0 && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, left);
        left = end - System.nanoTime();
      }
    }
  }

  /** Exchanges on the threads of the client. */
  record Asynchronous(DynamoDbAsyncClient client) implements Transport {
    @Override
    public CompletableFuture<Void> carry(Exchange exchange) {
      return loop(() -> turn(exchange));
    }

    private CompletableFuture<Boolean> turn(Exchange exchange) {
      Turn turn = exchange.next();
      if (turn instanceof Turn.Pause pause) {
        return CompletableFuture.supplyAsync(
            () -> true,
            CompletableFuture.delayedExecutor(pause.time().toNanos(), TimeUnit.NANOSECONDS));
      }
      return turn == null
          ? CompletableFuture.completedFuture(false)
          : start(() -> send(exchange, ((Turn.Ask) turn).request()))
              .handle(
                  (reply, error) -> {
                    if (error == null) {
                      exchange.replied(reply);
                    } else {
                      exchange.failed(Errors.unwrap(error));
                    }
                    return true;
                  });
    }

    private CompletableFuture<? extends DynamoDbResponse> send(
        Exchange exchange, DynamoDbRequest request) {
      try (Ongoing.Scope unused = exchange.sending()) {
        return Transport.<CompletableFuture<? extends DynamoDbResponse>>sent(
            request,
            client::updateItem,
            client::putItem,
            client::deleteItem,
            client::getItem,
            client::batchGetItem);
      }
    }
  }

  /** Sends a request as what it is. */
  private static <R> R sent(
      DynamoDbRequest request,
      Function<UpdateItemRequest, ? extends R> update,
      Function<PutItemRequest, ? extends R> put,
      Function<DeleteItemRequest, ? extends R> delete,
      Function<GetItemRequest, ? extends R> get,
      Function<BatchGetItemRequest, ? extends R> batchGet) {
    if (request instanceof UpdateItemRequest item) {
      return update.apply(item);
    }
    if (request instanceof PutItemRequest item) {
      return put.apply(item);
    }
    if (request instanceof DeleteItemRequest item) {
      return delete.apply(item);
    }
    return request instanceof GetItemRequest item
        ? get.apply(item)
        : batchGet.apply((BatchGetItemRequest) request);
  }

  /** Starts some work, whose own exception ends the future like any later one. */
  static <R> CompletableFuture<R> start(Supplier<? extends CompletableFuture<R>> work) {
    try {
      return work.get();
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Takes turns until one says that it was the last; without recursion where they end at once. */
  static CompletableFuture<Void> loop(Supplier<CompletableFuture<Boolean>> turn) {
    while (true) {
      CompletableFuture<Boolean> again = start(turn);
      if (!again.isDone()) {
        return again.thenCompose(
            more -> more ? loop(turn) : CompletableFuture.<Void>completedFuture(null));
      }
      if (again.isCompletedExceptionally() || !again.join()) {
        return again.thenApply(over -> null);
      }
    }
  }

  /** The result of a future that is complete, or its plain exception. */
  static <R> R join(CompletableFuture<R> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw Transport.<RuntimeException>plain(Errors.unwrap(e));
    }
  }

  /** Whatever a caller's own function threw reaches the caller as it is. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> E plain(Throwable error) throws E {
    throw (E) error;
  }
}
