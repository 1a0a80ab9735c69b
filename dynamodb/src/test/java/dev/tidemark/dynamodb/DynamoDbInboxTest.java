package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.TooLargeException;
import dev.tidemark.inbox.Handled;
import dev.tidemark.inbox.Handler;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

@DisplayName("An inbox on DynamoDB")
final class DynamoDbInboxTest extends InboxScene {
  private static final int LARGEST_ITEM = 400 << 10;

  @Test
  @DisplayName("handles a message once, in one request, and a duplicate takes one too")
  void once() {
    int reads = FAULTS.reads();
    int writes = FAULTS.writes();
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
    assertEquals(1, FAULTS.writes() - writes);
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::add));
    assertEquals(2, FAULTS.writes() - writes);
    assertEquals(0, FAULTS.reads() - reads);
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("keeps subscribers apart, and ids of several fields")
  void apart() {
    MessageId composite = MessageId.of("billing", message.value());
    assertTrue(inbox.handle(message, this::add).isDone());
    assertEquals(new Handled.Applied<>("added"), inbox("search").handle(message, this::add));
    assertEquals(new Handled.Applied<>("added"), inbox.handle(composite, this::add));
    assertEquals(3, amount());
  }

  @Test
  @DisplayName("says Refused of the handler's own condition, and Duplicate where it is both")
  void mixedReasons() {
    assertTrue(inbox.handle(message, this::open).isDone());
    MessageId other = MessageId.of(UUID.randomUUID());
    assertEquals(new Handled.Refused<>(List.of(0)), inbox.handle(other, this::open));
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::open));
    assertEquals(new Handled.Applied<>("added"), inbox.handle(other, this::add));
    assertEquals(2, amount());
  }

  @Test
  @DisplayName("says Duplicate where the handler's own write is not valid any more")
  void invalidSince() {
    assertTrue(inbox.handle(message, this::add).isDone());
    String filler = "x".repeat(LARGEST_ITEM - "idfiller".length() - account.length());
    client.updateItem(
        r ->
            r.tableName(accounts)
                .key(id())
                .updateExpression("REMOVE amount SET filler = :text") // no room for the amount
                .expressionAttributeValues(Map.of(":text", AttributeValue.fromS(filler))));
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::add));
    MessageId other = MessageId.of(UUID.randomUUID());
    assertThrows(TooLargeException.class, () -> inbox.handle(other, this::add));
  }

  @Test
  @DisplayName("takes no conflict over its record for a duplicate, beside a false condition either")
  void conflictBesideRefusal() {
    assertTrue(inbox.handle(message, this::open).isDone());
    CancellationReason conflict = CancellationReason.builder().code("TransactionConflict").build();
    DynamoDbInbox inConflict =
        DynamoDbInbox.builder(
                Cancellations.edited(client, (item, reason) -> item == 0 ? conflict : reason),
                records,
                "billing")
            .clock(clock)
            .build();
    assertEquals(
        new Handled.Refused<>(List.of(0)),
        inConflict.handle(MessageId.of(UUID.randomUUID()), this::open));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("knows its own record when the reply was lost, and adds once")
  void lostReplies() {
    for (int count = 1; count <= 4; count++) {
      FAULTS.loseReplies(0, count, () -> {});
      Handled<String> handled = inbox.handle(MessageId.of(UUID.randomUUID()), this::add);
      FAULTS.heal();
      assertEquals(new Handled.Applied<>("added"), handled, "lost " + count);
      assertEquals(count, amount());
    }
  }

  @Test
  @DisplayName("tries again where others are in the way, and never takes that for a duplicate")
  void contention() {
    FAULTS.conflict(4);
    Handled<String> conflict = inbox.handle(message, this::add);
    FAULTS.throttle(4);
    Handled<String> throttled = inbox.handle(MessageId.of(UUID.randomUUID()), this::add);
    FAULTS.heal();
    assertEquals(new Handled.Applied<>("added"), conflict);
    assertEquals(new Handled.Applied<>("added"), throttled);
    assertEquals(2, amount());
  }

  @Test
  @DisplayName("lets one of many threads win, on one hot item too")
  void parallel() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    int applied = 0;
    try {
      List<Callable<Handled<String>>> calls = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        MessageId one = MessageId.of("parallel", message.value(), "" + i % 8);
        calls.add(() -> inbox.handle(one, this::add));
      }
      for (Future<Handled<String>> call : threads.invokeAll(calls)) {
        applied += call.get().result().isPresent() ? 1 : 0;
        assertTrue(call.get().isDone());
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(8, applied);
    assertEquals(8, amount());
  }

  @Test
  @DisplayName("forgets a message when its time is over, though the record is still there")
  void expired() {
    assertTrue(inbox.handle(message, this::add).isDone());
    clock.move(Duration.ofDays(1));
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::add));
    clock.move(Duration.ofSeconds(2));
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
  }

  @Test
  @DisplayName("writes nothing where the handler throws")
  void thrown() {
    Handler<TransactionWrites, String, IllegalStateException> failing =
        writes -> {
          add(writes);
          throw new IllegalStateException("no");
        };
    assertThrows(IllegalStateException.class, () -> inbox.handle(message, failing));
    assertEquals(0, amount());
    assertTrue(inbox.handle(message, this::add).result().isPresent());
  }

  @Test
  @DisplayName("names limits before anything is sent")
  void limits() {
    int writes = FAULTS.writes();
    IllegalArgumentException twice =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                inbox.handle(
                    message,
                    all -> {
                      add(all);
                      return add(all);
                    }));
    assertTrue(String.valueOf(twice.getMessage()).contains(accounts), twice::toString);
    assertFalse(String.valueOf(twice.getMessage()).contains(account), twice::toString);
    IllegalArgumentException many =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                inbox.handle(
                    message,
                    all -> {
                      for (int i = 0; i < 100; i++) {
                        all.put(put -> put.tableName(accounts));
                      }
                      return "never";
                    }));
    assertTrue(String.valueOf(many.getMessage()).contains("99"), many::toString);
    assertEquals(writes, FAULTS.writes());
    assertThrows(IllegalArgumentException.class, () -> inbox(""));
  }

  @Test
  @DisplayName("knows its own record when the token is forgotten and a proxy leaves the item out")
  void ownWithoutItem() {
    DynamoDbInbox behind =
        DynamoDbInbox.builder(forgetful(), records, "billing").clock(clock).build();
    assertEquals(new Handled.Applied<>("added"), behind.handle(message, this::add));
    assertEquals(new Handled.Duplicate<>(), behind.handle(message, this::add));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("tells by its record what became of it where the store cannot be reached any more")
  void unreachable() {
    DynamoDbInbox cut =
        DynamoDbInbox.builder(cutOff(true), records, "billing").clock(clock).build();
    assertEquals(new Handled.Applied<>("added"), cut.handle(message, this::add));
    MessageId other = MessageId.of(UUID.randomUUID());
    DynamoDbInbox off =
        DynamoDbInbox.builder(cutOff(false), records, "billing").clock(clock).build();
    assertThrows(OutcomeUnknownException.class, () -> off.handle(other, this::add));
    assertEquals(new Handled.Duplicate<>(), inbox.handle(other, this::add));
    assertEquals(2, amount());
  }

  /** Loses the first reply, and sends no write after it, and no read if told so. */
  private static DynamoDbClient cutOff(boolean reads) {
    AtomicInteger sent = new AtomicInteger();
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(),
            new Class<?>[] {DynamoDbClient.class},
            (proxy, method, arguments) -> {
              boolean write = arguments[0] instanceof TransactWriteItemsRequest;
              if (sent.get() > 0 && (write || !reads)) {
                throw SdkClientException.create("cut off", new ConnectException("refused"));
              }
              try {
                Object reply = method.invoke(client, arguments);
                if (write) {
                  sent.incrementAndGet();
                  throw SdkClientException.create("lost", new IOException("reset"));
                }
                return reply;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Loses the first reply, lets no token tell repeats, and leaves the items out of reasons. */
  private static DynamoDbClient forgetful() {
    AtomicInteger sent = new AtomicInteger();
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(),
            new Class<?>[] {DynamoDbClient.class},
            (proxy, method, arguments) -> {
              try {
                if (arguments[0] instanceof TransactWriteItemsRequest write) {
                  arguments[0] =
                      write.toBuilder().clientRequestToken("" + UUID.randomUUID()).build();
                }
                Object reply = method.invoke(client, arguments);
                if (reply instanceof TransactWriteItemsResponse && sent.incrementAndGet() == 1) {
                  throw SdkClientException.create("lost", new IOException("reset"));
                }
                return reply;
              } catch (InvocationTargetException e) {
                throw e.getCause() instanceof TransactionCanceledException cancelled
                    ? Cancellations.edited(cancelled, DynamoDbInboxTest::withoutItem)
                    : e.getCause();
              }
            });
  }

  private static CancellationReason withoutItem(int item, CancellationReason reason) {
    return CancellationReason.builder().code(reason.code()).build();
  }

  @Test
  @DisplayName("stores nothing of a handler that returns a future, and takes no write after it")
  void late() {
    List<TransactionWrites> kept = new ArrayList<>();
    assertThrows(
        IllegalStateException.class,
        () ->
            inbox.handle(
                message,
                writes -> {
                  kept.add(writes);
                  return CompletableFuture.completedFuture(add(writes));
                }));
    assertThrows(IllegalStateException.class, () -> add(kept.get(0)));
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("is not told to keep or claim messages for longer than any record lives")
  void forEver() {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    DynamoDbInbox.Builder builder = builder("billing");
    assertThrows(IllegalArgumentException.class, () -> builder.keptFor(forEver));
    assertThrows(IllegalArgumentException.class, () -> builder.claimingFor(forEver));
    Duration most = Duration.ofDays(36_525);
    DynamoDbInbox longest = builder.keptFor(most).claimingFor(most).build();
    assertEquals(new Handled.Applied<>("added"), longest.handle(message, this::add));
  }
}
