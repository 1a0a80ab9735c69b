package dev.tidemark.lambda;

import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.intake.IntakeListener;
import dev.tidemark.intake.Taken;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the batches of all carriers have in common: an intake, and what its answer means for an
 * invocation. For any number of threads.
 */
final class Batch<M> {
  /** The attribute, or header, with the ID that a sender of Tidemark gave. */
  static final String SENT_ID = "tidemark-id";

  /** The attribute, or header, with the topic or queue for which that ID was given. */
  static final String DESTINATION = "tidemark-destination";

  /** What the handler threw in the invocation that this thread is in. */
  private static final ThreadLocal<@Nullable Throwable> THROWN = new ThreadLocal<>();

  private final Function<List<Delivery>, ? extends BatchOutcome<?>> handler;
  private final Intake<M> intake;

  @SuppressWarnings("NullAway") // which does not see what a compiled type says of type arguments
  Batch(
      Function<? super M, String> id,
      Function<? super M, @Nullable String> lane,
      Decoder<? super M> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler,
      Consumer<? super IntakeBuilder<M>> settings) {
    this.handler = Objects.requireNonNull(handler, "handler");
    IntakeBuilder<M> builder = Intake.builder(id, decoder, this::noting);
    builder.listener(IntakeListener.logEachBatch()); // a later invocation may never be
    settings.accept(builder);
    this.intake = builder.lane(lane).build(); // which is the carrier's, whatever the settings say
  }

  private BatchOutcome<?> noting(List<Delivery> deliveries) {
    try {
      return handler.apply(deliveries);
    } catch (Throwable e) {
      THROWN.set(e);
      throw e;
    }
  }

  /**
   * What is not done, in the order of the event. Where nothing is done since the handler threw, its
   * exception is thrown, so that Lambda logs it; where something was acknowledged by then, such as
   * a dead letter, that has to stand.
   */
  List<M> undone(List<M> messages) {
    try {
      Taken<M> taken = taken(messages);
      Throwable fault = THROWN.get();
      if (fault != null && taken.toAcknowledge().isEmpty()) {
        throw Batch.<RuntimeException>plain(fault);
      }
      return taken.toRetry();
    } finally {
      THROWN.remove();
    }
  }

  /** Lambda's runtime has one thread for all invocations. */
  private Taken<M> taken(List<M> messages) {
    return intake.takeOnContainerThread(messages);
  }

  /** Whatever the handler threw reaches Lambda as it is. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E plain(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** Throws if anything is not done, for a mapping that reads no answer. */
  void requireDone(List<M> messages) {
    try {
      Taken<M> taken = taken(messages);
      int undone = taken.toRetry().size();
      if (undone > 0) {
        String text =
            "%d of %d messages are not done, so all of them have to come again; the first: %s"
                .formatted(undone, messages.size(), firstReason(taken));
        throw new IllegalStateException(text, THROWN.get());
      }
    } finally {
      THROWN.remove();
    }
  }

  private static String firstReason(Taken<?> taken) {
    return taken.fates().stream()
        .filter(fate -> fate.kind() == Kind.AGAIN)
        .map(Taken.Fate::reason)
        .findFirst()
        .orElse("");
  }

  /**
   * The records of an event, which are there and have names, or nothing of it is handled: an event
   * of another kind of source comes without them, and must not pass as empty.
   */
  static <R> List<R> named(
      @Nullable List<R> records, String carrier, Function<R, @Nullable String> name) {
    if (records == null) {
      throw new IllegalArgumentException(
          "the event has no list of records, each with its %s; is the function behind a source of another kind?"
              .formatted(carrier));
    }
    for (int i = 0; i < records.size(); i++) {
      R record = records.get(i);
      String given = record == null ? null : name.apply(record);
      if (given == null || given.isEmpty()) {
        throw new IllegalArgumentException(
            "record %d of the event has no %s, by which the answer could name it"
                .formatted(i, carrier));
      }
    }
    return new ArrayList<>(records);
  }
}
