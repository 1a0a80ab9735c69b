package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.GenericApplicationContext;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

@DisplayName("The SQS consumer under faults")
class SqsFaultsTest {
  private static LocalSqs sqs;

  @BeforeAll
  static void start() {
    sqs = new LocalSqs();
  }

  @AfterAll
  static void end() {
    sqs.close();
  }

  static Stream<Arguments> everywhere() {
    return Stream.of(LocalStore.values())
        .flatMap(store -> Stream.of("", ".fifo").map(kind -> Arguments.of(store, kind)));
  }

  /** Views whose first batch waits before it is handled. */
  private static Function<List<Delivery>, BatchOutcome<?>> held(
      Generations generations, CountDownLatch inHand, CountDownLatch go) {
    Views views = new Views(generations.current());
    AtomicInteger calls = new AtomicInteger();
    return deliveries -> {
      if (calls.incrementAndGet() == 1) {
        inHand.countDown();
        awaited(go);
      }
      return views.apply(deliveries);
    };
  }

  /** An asynchronous client that tries each call once, and tells which kinds of calls failed. */
  private static Consumer<GenericApplicationContext> impatient(Set<String> failed) {
    ExecutionInterceptor ear =
        new ExecutionInterceptor() {
          @Override
          public void onExecutionFailure(
              Context.FailedExecution call, ExecutionAttributes attributes) {
            failed.add(call.request().getClass().getSimpleName());
          }
        };
    return beans -> {
      beans.removeBeanDefinition("sqsAsyncClient");
      beans.registerBean(
          "sqsAsyncClient",
          SqsAsyncClient.class,
          () ->
              SqsAsyncClient.builder()
                  .endpointOverride(sqs.uri())
                  .region(Region.EU_CENTRAL_1)
                  .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                  .overrideConfiguration(
                      calls ->
                          calls
                              .retryStrategy(AwsRetryStrategy.doNotRetry())
                              .addExecutionInterceptor(ear))
                  .build());
    };
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest(name = "queue{0}")
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("keeps what it works on for longer than the visibility timeout, by its heartbeat")
  void heartbeat(String kind) throws Exception {
    CountDownLatch inHand = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Generations generations = LocalStore.DYNAMODB.prepared();
        SqsRun run = new SqsRun(sqs, kind, Duration.ofSeconds(6))) {
      Recorded views = new Recorded(held(generations, inHand, go));
      run.queue.send(Samples.created("order-1", "consumer-1", 0));
      run.consume(views);
      inHand.await();
      assertEquals(List.of(), run.queue.receive(9));
      go.countDown();
      Await.until("it is deleted", () -> run.queue.size() == 0);
      assertEquals(List.of("Applied"), views.results);
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("without a heartbeat shares long work with others, and all but one find a duplicate")
  void noHeartbeat(LocalStore store, String kind) throws Exception {
    CountDownLatch inHand = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Generations generations = store.prepared();
        SqsRun run = new SqsRun(sqs, kind, Duration.ofSeconds(2))) {
      Recorded views = new Recorded(held(generations, inHand, go));
      run.queue.send(Samples.created("order-1", "consumer-1", 0));
      String letters = run.deadLetters.url();
      run.consume(views, letters, Listeners::withoutHeartbeat);
      inHand.await();
      run.consume(views, letters, Listeners::withoutHeartbeat);
      Await.until("the second is done", () -> !views.results.isEmpty());
      go.countDown();
      Await.until("the first is done", () -> views.results.size() > 1);
      Await.until("it is deleted", () -> run.queue.size() == 0);
      List<String> results = List.copyOf(views.results);
      assertEquals("Applied", results.get(0));
      assertEquals(Set.of("Duplicate"), Set.copyOf(results.subList(1, results.size())));
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName("outlasts an outage of SQS, and finds duplicates where it could not delete")
  void outage(LocalStore store, String kind) throws Exception {
    CountDownLatch inHand = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Set<String> failed = ConcurrentHashMap.newKeySet();
    try (Generations generations = store.prepared();
        SqsRun run = new SqsRun(sqs, kind, Duration.ofSeconds(3))) {
      Recorded views = new Recorded(held(generations, inHand, go));
      Truth.events(1).forEach(run.queue::send);
      run.consume(views, run.deadLetters.url(), impatient(failed));
      inHand.await();
      sqs.stop();
      go.countDown();
      Await.until("nothing was deleted", () -> failed.contains("DeleteMessageBatchRequest"));
      sqs.start();
      Await.until("all are deleted", () -> run.queue.size() == 0);
      assertTrue(views.results.contains("Duplicate"), views.results.toString());
      Truth.check(generations.current(), 1);
    }
  }

  @ParameterizedTest(name = "{0} queue{1}")
  @MethodSource("everywhere")
  @DisplayName(
      "deletes no poison that it cannot bury, and hands over nothing behind it in its group")
  void late(LocalStore store, String kind) throws Exception {
    try (Generations generations = store.prepared();
        SqsRun run = new SqsRun(sqs, kind, Duration.ofMinutes(1))) {
      run.queue.send("poison", "order-0");
      List<Event> events = Truth.events(2);
      events.forEach(run.queue::send);
      int perOrder = events.size() / 2;
      String missing = "late-" + UUID.randomUUID() + kind;
      String url = run.deadLetters.url().replaceAll("[^/]+$", missing);
      Recorded views = new Recorded(new Views(generations.current()));
      run.consume(views, url, beans -> {});
      if (run.queue.isFifo()) {
        Await.until("the other group is deleted", () -> run.queue.size() == 1 + perOrder);
        assertEquals(perOrder, views.results.size());
      } else {
        Await.until("the others are deleted", () -> run.queue.size() == 1);
      }
      LocalQueue deadLetters =
          new LocalQueue(run.client, sqs.queue(missing, Duration.ofMinutes(1)));
      Await.until("all are deleted", () -> run.queue.size() == 0);
      Truth.check(generations.current(), 2);
      assertEquals(
          List.of("poison"), deadLetters.drain().stream().map(letter -> letter.body()).toList());
    }
  }
}
