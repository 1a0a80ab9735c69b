package dev.tidemark.dynamodb;

import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Outcome;
import dev.tidemark.TooLargeException;
import dev.tidemark.dynamodb.Transport.Turn;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.Step;
import dev.tidemark.kernel.Transition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** One run as an exchange: gives its requests DynamoDB's form, and tells it the replies. */
final class Runner<T> implements Transport.Exchange {
  /** Who waits for a read of the item. */
  private record Look<T>(Consumer<Item<T>> found, Consumer<Throwable> failed) {}

  private static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(10), Duration.ofMillis(400));
  private static final int MOST_TRIES = 40;
  private static final int MOST_LOST = 3;

  /** What a try costs of these that the SDK has repeated by itself. */
  private static final int REPEATED = 21;

  /**
   * How many times as long as a lost race took its loser stays aside. Writers of one entity that
   * all try again at once lose again: with 24 of them 2.6 requests a message, so 1.4.
   */
  private static final int TIMES_ASIDE = 64;

  private static final Duration LONGEST_ASIDE = Duration.ofSeconds(5);

  /** Of a single call. */
  static final Patience PATIENCE =
      new Patience(MOST_TRIES, MOST_LOST, 0, BACKOFF::computeDelay, Runner::aside);

  private final Writes<T> writes;
  private final EntityKey key;
  private final Run<T> run;
  private @Nullable Map<String, AttributeValue> first;
  private @Nullable Map<String, AttributeValue> last;
  private @Nullable Look<T> look;
  private @Nullable Request<T> request;
  private @Nullable DynamoDbRequest form;
  private long start;
  private boolean yielded;

  Runner(Writes<T> writes, EntityKey key, Run<T> run) {
    this.writes = writes;
    this.key = key;
    this.run = run;
  }

  /** Between half of that time and all of it. */
  private static Duration aside(Duration race) {
    Duration most = race.multipliedBy(TIMES_ASIDE);
    long nanos = (most.compareTo(LONGEST_ASIDE) < 0 ? most : LONGEST_ASIDE).toNanos();
    return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
  }

  EntityKey key() {
    return key;
  }

  /** The run, once all of its writes have a result. */
  Run<T> ended() {
    run.remember(last);
    return run;
  }

  /** Whether it starts with a read. */
  boolean mustRead() {
    return run.next() instanceof Step.Read;
  }

  /** Gives it the item that it would read first; an empty one if there is none. */
  void read(Map<String, AttributeValue> item) {
    first = item;
  }

  /** Whether its request records a message on a tombstone. */
  boolean recordsOnTombstone() {
    Request<T> sent = Objects.requireNonNull(request);
    return sent.over() != null && Transition.of(sent).kind() == Transition.Kind.RECORDS;
  }

  /** Whether its request records that the caller's rule or function refused the message. */
  boolean recordsRefusal() {
    return run.expected().filter(Outcome.Refused.class::isInstance).isPresent();
  }

  /** Whether it has to be carried on when there is room again. */
  boolean hasYielded() {
    return yielded;
  }

  /**
   * Goes on from the refusal of a write that somebody else has made.
   *
   * @param refusal what refused it; empty if it has to be read
   */
  void resume(ByteBuffer token, Map<String, AttributeValue> refusal, boolean uncertain) {
    run.resuming(token);
    run.on(new Reply.Refused<>(null, null), uncertain, Duration.ZERO);
    first = refusal.isEmpty() ? null : refusal;
  }

  @Override
  public @Nullable Turn next() {
    yielded = false;
    while (true) {
      Step<T> step = look == null ? run.next() : new Step.Read<>(null);
      if (step instanceof Step.Send<T> send) {
        if (forms(send.request())) {
          return new Turn.Ask(Objects.requireNonNull(form));
        }
      } else if (step instanceof Step.Read) {
        look = look == null ? new Look<>(run::found, this::unread) : look;
        if (first == null) {
          return new Turn.Ask(writes.read(key, true));
        }
        found(first);
      } else {
        yielded = step instanceof Step.Yield;
        return step instanceof Step.Pause<T> pause ? new Turn.Pause(pause.time()) : null;
      }
    }
  }

  private boolean forms(Request<T> next) {
    try {
      request = next;
      form = writes.form(next);
      start = System.nanoTime();
      return true;
    } catch (RuntimeException e) {
      run.on(new Reply.Fault<>(fault(e), true), false, Duration.ZERO);
      return false;
    }
  }

  @Override
  public void replied(DynamoDbResponse reply) {
    if (reply instanceof GetItemResponse get) {
      found(get.item());
      return;
    }
    Map<String, AttributeValue> after =
        reply instanceof UpdateItemResponse update
            ? update.attributes()
            : form instanceof PutItemRequest put ? put.item() : Map.of();
    saw(after);
    run.on(writes.accepted(Objects.requireNonNull(request), after), false, took());
  }

  private void found(Map<String, AttributeValue> attributes) {
    Look<T> looking = Objects.requireNonNull(look);
    first = null;
    look = null;
    Item<T> item;
    try {
      item = writes.mapping().item(key, attributes);
    } catch (RuntimeException e) {
      looking.failed().accept(e);
      return;
    }
    saw(attributes);
    looking.found().accept(item);
  }

  private void unread(Throwable error) {
    run.unread(
        Errors.kind(error) == Errors.Kind.CONTENDED
            ? new Reply.Busy<>(REPEATED, error)
            : new Reply.Fault<>(fault(error), false));
  }

  private void saw(Map<String, AttributeValue> item) {
    last = writes.mapping().isGone(item) ? null : item;
  }

  /** What the caller gets for an error; what is no exception of a program's ends the exchange. */
  private RuntimeException fault(Throwable error) {
    return Faults.of(error, key) instanceof RuntimeException fault
        ? fault
        : Transport.<RuntimeException>plain(error);
  }

  private Duration took() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Override
  public void failed(Throwable error) {
    Look<T> looking = look;
    look = null;
    if (looking != null) {
      looking.failed().accept(error);
      return;
    }
    Request<T> sent = Objects.requireNonNull(request);
    Duration took = took();
    boolean uncertain = Errors.wereUncertain(error);
    switch (Errors.kind(error)) {
      case REFUSED -> {
        Map<String, AttributeValue> item = Errors.item(error, writes.mapping().keys().of(key));
        if (!item.isEmpty()) {
          saw(item);
        }
        run.on(writes.refused(sent, item), uncertain, took);
      }
      case CONTENDED -> {
        int cost = Errors.repeats(error) > 0 ? REPEATED : 1;
        run.on(new Reply.Busy<>(cost, error), uncertain, took);
      }
      case UNCERTAIN -> run.on(new Reply.Lost<>(true, error), uncertain, took);
      case ABANDONED -> run.on(new Reply.Lost<>(false, error), uncertain, took);
      case FAULT -> faulty(sent, fault(error), uncertain, took);
    }
  }

  /**
   * A full item is not at fault while messages wait in it. If they did there is room now. The rule
   * was true, since DynamoDB asks the condition before it looks at the size.
   */
  private Reply<T> full(Request<T> sent, TooLargeException full, Item<T> item) {
    Item<T> over = (Item<T>) sent.over();
    boolean waits = waitsIn(item);
    boolean waited = over != null && waitsIn(over);
    return !waits && (over == null || waited)
        ? new Reply.Refused<>(item, false)
        : new Reply.Fault<>(
            Outbox.full(full, waits || waited, has(item, writes.mapping().names().outboxParked())),
            true);
  }

  private boolean waitsIn(Item<T> item) {
    return has(item, writes.mapping().names().outbox());
  }

  private boolean has(Item<T> item, String name) {
    return Values.has(item.attributes(), name);
  }

  /** What adds to a set is invalid where NULL stands for the set: then a write that knows it. */
  private void faulty(Request<T> sent, RuntimeException fault, boolean uncertain, Duration took) {
    Reply<T> reply = new Reply.Fault<>(fault, Faults.mayBeOfOne(fault));
    if (fault instanceof TooLargeException full && Faults.isOfItem(full)) {
      look =
          new Look<>(
              item -> run.on(full(sent, full, item), uncertain, took),
              unread -> run.on(reply, uncertain, took));
      return;
    }
    if (sent.over() != null || !(fault instanceof InvalidChangeException)) {
      run.on(reply, uncertain, took);
      return;
    }
    look =
        new Look<>(
            item -> {
              boolean ofNull = !writes.mapping().nullMarks(item.attributes()).isEmpty();
              run.on(ofNull ? new Reply.Refused<>(item, null) : reply, uncertain, took);
            },
            unread -> run.on(reply, uncertain, took));
  }
}
