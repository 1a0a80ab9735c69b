package dev.tidemark.intake;

import dev.tidemark.TidemarkException;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.UnfitChangeException;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an {@link Intake}. For one thread.
 *
 * @param <M> the carrier's messages
 */
public final class IntakeBuilder<M> {
  static final Duration QUIET = Duration.ofMinutes(1);

  final Function<? super M, ?> id;
  final Decoder<? super M> decoder;
  final Function<List<Delivery>, ? extends BatchOutcome<?>> handler;
  Function<? super M, @Nullable String> lane = message -> null;
  @Nullable DeadLetters<? super M> deadLetters;
  Predicate<RuntimeException> undecodable = IllegalArgumentException.class::isInstance;
  private List<Class<? extends Exception>> outages = List.of();
  Function<? super Exception, String> reason = IntakeBuilder::reason;
  int parkAfter = 10;
  LongSupplier nanos = System::nanoTime;
  IntakeListener listener = new IntakeLog(QUIET, () -> nanos.getAsLong());

  IntakeBuilder(
      Function<? super M, ?> id,
      Decoder<? super M> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    this.id = Objects.requireNonNull(id, "id");
    this.decoder = Objects.requireNonNull(decoder, "decoder");
    this.handler = Objects.requireNonNull(handler, "handler");
  }

  /**
   * The carrier's own order, such as topic and partition, or the group of a FIFO queue. Of a lane
   * nothing behind the first message that is not done is acknowledged.
   *
   * @param lane a message's lane; null for one that has no order. None has any unless this is
   *     given. For an empty one {@link Intake#take} throws an {@link IllegalArgumentException}, and
   *     nothing of the batch is handled
   * @return this builder
   */
  public IntakeBuilder<M> lane(Function<? super M, @Nullable String> lane) {
    this.lane = Objects.requireNonNull(lane, "lane");
    return this;
  }

  /**
   * Where messages go that cannot be decoded, or failed too often. Without this nothing is given
   * up: such messages come again until the carrier itself gives them up.
   *
   * @param deadLetters keeps them
   * @return this builder
   */
  public IntakeBuilder<M> deadLetters(DeadLetters<? super M> deadLetters) {
    this.deadLetters = Objects.requireNonNull(deadLetters, "deadLetters");
    return this;
  }

  /**
   * After how many failures a message is parked among the dead letters, so that what waits behind
   * it goes on. Each instance counts for itself, in memory: 10,000 messages at a time. Where more
   * fail, the others are counted once some of these are handled, are parked or have not failed for
   * an hour.
   *
   * <p>While nothing at all succeeds, a bad deploy is the likelier culprit: if nothing was handled
   * for a minute, one message is parked after ten times as many failures, the next one after twice
   * as many as that, and so on, until something is handled again. Trouble that passes by itself
   * counts as no failure: a store that is away, which {@code tidemark-dynamodb} and {@code
   * tidemark-mongodb} know by the exceptions of their clients, an {@link #outage}, a {@link
   * TidemarkException} that is retryable, an executor that takes no work, an interrupt, a client
   * that was closed or want of memory, each by itself or as a cause, a gap, and what waits behind
   * another message. So a handler that fills an executor by one message alone has to wait for room,
   * or to throw an exception of its own: its message is not parked for what the executor says.
   *
   * @param failures 1 to 1,000; 10 unless given
   * @return this builder
   */
  public IntakeBuilder<M> parkAfter(int failures) {
    if (failures < 1 || failures > 1_000) {
      throw new IllegalArgumentException("parkAfter must be 1 to 1000, was " + failures);
    }
    this.parkAfter = failures;
    return this;
  }

  /**
   * Which exceptions of the decoder say that a message cannot be decoded, beside checked ones and
   * {@link IllegalArgumentException}: those of a library that has unchecked ones.
   *
   * @param type such as Jackson 3's {@code JacksonException}
   * @return this builder
   */
  public IntakeBuilder<M> undecodable(Class<? extends RuntimeException> type) {
    undecodable = undecodable.or(Objects.requireNonNull(type, "type")::isInstance);
    return this;
  }

  /**
   * Which exceptions of the handler are no message's fault, beside those that say that the store is
   * away: such as those of another service that it calls. A message that meets one comes again,
   * however often. It may be a cause, as where a function wraps a checked exception that it cannot
   * declare. One of the decoder's still says that a message cannot be decoded.
   *
   * @param type the class that the service's client throws; not {@code IOException}, which those of
   *     Jackson are too, and not {@code SdkException} of AWS, which the SDK throws for a request
   *     that it cannot make, too
   * @return this builder
   */
  public IntakeBuilder<M> outage(Class<? extends Exception> type) {
    Objects.requireNonNull(type, "type");
    List<Class<? extends Exception>> types = new ArrayList<>(outages);
    types.add(type);
    outages = List.copyOf(types);
    return this;
  }

  /**
   * Whether a fault is no message's.
   *
   * @param ofDecoder whether the decoder threw it, in which a named class is no cause: what cannot
   *     be read may be a cause of that class, too
   */
  boolean isOutage(RuntimeException fault, boolean ofDecoder) {
    Throwable thrown = IntakeBatch.thrown(fault);
    return outages.stream()
            .anyMatch(
                type ->
                    type.isInstance(thrown)
                        || (!ofDecoder && type.isInstance(Faults.decisive(fault, type))))
        || StoreFaults.anyOutage(fault);
  }

  /**
   * Sets how dead letters and the listener describe an exception: for decoders whose texts quote no
   * values. By default, the description is the exception's class and that of its last cause, such
   * as "IllegalArgumentException, caused by InvalidTypeIdException". If the exception is Tidemark's
   * own, a {@link TidemarkException} or what a store throws for a change that does not fit the
   * entity's class, it is the class and the text. The reason of a message that cannot be decoded
   * says so before the description; its dead letter has the description alone. An {@link Error}
   * comes as the cause of an {@link UndeclaredThrowableException}, and is described by its own
   * class by default.
   *
   * @param text what to tell of an exception: without keys and payloads; where it is null, as the
   *     text of an exception may be, or where the function throws, the default describes the
   *     exception
   * @return this builder
   */
  public IntakeBuilder<M> reason(Function<? super Exception, @Nullable String> text) {
    Objects.requireNonNull(text, "text");
    this.reason =
        fault -> {
          String told = null;
          try {
            told = text.apply(fault);
          } catch (Throwable e) {
            var unused = Faults.unchecked(e); // what the JVM cannot go on with is thrown
          }
          return told == null ? reason(fault) : told;
        };
    return this;
  }

  private static String reason(Exception fault) {
    Throwable thrown = IntakeBatch.thrown(fault);
    String type = Faults.name(thrown);
    if (thrown instanceof TidemarkException || thrown instanceof UnfitChangeException) {
      return type + ": " + thrown.getMessage();
    }
    Throwable last = Faults.last(thrown);
    return last == thrown ? type : type + ", caused by " + Faults.name(last);
  }

  /**
   * Tells a listener of each batch, in place of {@link IntakeListener#log}: to have both, say
   * {@code IntakeListener.log().and(listener)}.
   *
   * @param listener is told on the thread that takes
   * @return this builder
   */
  public IntakeBuilder<M> listener(IntakeListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /** For tests, in which time passes by itself. */
  IntakeBuilder<M> time(LongSupplier nanos) {
    this.nanos = nanos;
    return this;
  }

  /**
   * Makes an intake, which no later call of this builder changes.
   *
   * @return for any number of threads
   */
  public Intake<M> build() {
    IntakeBuilder<M> settings = new IntakeBuilder<>(id, decoder, handler);
    settings.lane = lane;
    settings.deadLetters = deadLetters;
    settings.undecodable = undecodable;
    settings.outages = outages;
    settings.reason = reason;
    settings.parkAfter = parkAfter;
    settings.nanos = nanos;
    settings.listener = listener;
    return new Intake<>(settings);
  }
}
