package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import dev.tidemark.MessageId;
import dev.tidemark.TooLargeException;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.bson.BSONException;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Reads the change stream of a collection, inserts unless told otherwise, and hands what comes to
 * an intake:
 *
 * <pre>{@code
 * Intake<StreamedChange> intake =
 *     ChangeStreamIntake.builder(change -> decode(change.document()), projector::handle)
 *         .deadLetters(MongoDeadLetters.of(letters, "orders"))
 *         .build();
 * new Thread(ChangeStreamIntake.stream(client, events, intake, places, "orders").build()).start();
 * }</pre>
 *
 * <p><b>Promised.</b> The stream's place is kept in a record of its own, and never behind a change
 * that is not handled or kept among the dead letters. Without a place the collection is read first:
 * the stream is opened before and followed after, so that nothing falls in between. Where the
 * server's history (the oplog) does not reach back to the place, the collection is read again, or
 * the run ends with an error that says so; a stream never goes on from now by itself. A change that
 * is not done is held, and tried again with all that comes, and after pauses that grow; later ones
 * go on meanwhile, up to a bound. The place of a stream on which nothing happens is kept up to date
 * too.
 *
 * <p><b>Not promised.</b> That a change comes once: what was done since the place was kept last, as
 * after a crash, comes again, and so does a collection that is read again.
 *
 * <p>An event that has more than the 16 MB that MongoDB gives at a time, as an update with the
 * document before and after it may, comes without what it had: the decoder that asks for its
 * document or its event gets a {@link TooLargeException}, so it is a dead letter that names the
 * document. Let a pipeline project what is needed, or end with {@code
 * $changeStreamSplitLargeEvent}, and there are none: the parts of an event are handed over as one.
 * They may come again after a restart: a place of a part is not kept, since a server takes it for
 * no pipeline that does not split.
 *
 * <p>Errors of the network and of elections do not end it: it waits, longer each time, and goes on,
 * and {@link #fault} tells of them while they last. {@link #run} ends by {@link #stop}, an
 * interrupt, or an error that another attempt would not mend, which it throws: the collection was
 * dropped or renamed, the server has no change streams or gives no right to them, the pipeline
 * cannot take an event, what an {@link dev.tidemark.intake.IntakeListener} throws. Its place then
 * stays in front of what is not done.
 *
 * <p>Two intakes that run under one name both hand over every change. Both may keep the place,
 * since a change that one of them has done need not be done by the other. So a successor may start
 * before its predecessor ends.
 *
 * <p>One thread runs it, once. The other methods are for any thread. The caller closes the client.
 */
public final class ChangeStreamIntake implements Runnable {
  private static final System.Logger LOG = System.getLogger(ChangeStreamIntake.class.getName());

  /** A server that says nothing new of a place for so long has not come to its time yet. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

  private static final int PARK_AFTER = 30;

  private final ChangeStreamIntakeBuilder settings;
  private final StreamProgress progress;
  private final KeptPlace place;
  private final StreamFaults faultsOf;
  private final OversizedEvents oversized;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicBoolean hasRun = new AtomicBoolean();
  private volatile @Nullable RuntimeException fault;
  private int faults;
  private boolean hasBegun;

  /** Whether the stream was opened at a place, and not at the present. */
  private boolean isResumed;

  /** Whether the server has gone on from where the stream was opened. */
  private boolean hasMoved;

  /** Whether the server is known to know the place. */
  private boolean isKnown;

  ChangeStreamIntake(ChangeStreamIntakeBuilder settings) {
    this.settings = settings;
    this.progress = new StreamProgress(settings);
    this.place = new KeptPlace(settings);
    this.faultsOf = new StreamFaults(settings);
    this.oversized = new OversizedEvents(settings, faultsOf);
  }

  /**
   * Settings of an intake that knows a change by its document's {@code _id}, or by its place in the
   * stream where it is no insert. BSON of another type than the decoder asks for is undecodable.
   *
   * @param decoder makes deliveries of changes, such as {@code change ->
   *     Delivery.of(ChangeStreamIntake.identity(change), change.document(Event.class))}
   * @param handler handles deliveries, as projectors do
   * @return a builder; what fails is parked after 30 failures, since it is tried again with all
   *     that comes
   */
  public static IntakeBuilder<StreamedChange> builder(
      Decoder<? super StreamedChange> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return Intake.<StreamedChange>builder(StreamedChange::key, decoder, handler)
        .undecodable(BSONException.class)
        .undecodable(TooLargeException.class)
        .parkAfter(PARK_AFTER);
  }

  /**
   * A consumer of a collection's change stream.
   *
   * @param client of a replica set or sharded cluster; stays the caller's, who closes it
   * @param source the collection, of that client
   * @param intake of {@link #builder}
   * @param places where the stream's place is kept: a collection of any client, for any number of
   *     streams
   * @param name of the stream, by which its place is kept
   * @return a builder
   */
  public static ChangeStreamIntakeBuilder stream(
      MongoClient client,
      MongoCollection<?> source,
      Intake<StreamedChange> intake,
      MongoCollection<?> places,
      String name) {
    return new ChangeStreamIntakeBuilder(client, source, intake, places, name);
  }

  /**
   * The identity of a change whose event has none of its own: the collection and the document's
   * {@code _id}; of a change that is no insert also its place in the stream. An identity of the
   * event's own is better where there is one: an {@code _id} knows redeliveries, but not what a
   * producer has inserted twice, nor a document that was inserted anew under the {@code _id} of a
   * deleted one, which is a duplicate of that. It is meant for streams of inserts. A stream of
   * updates needs a version in its identities, since a document that is read again after a lost
   * history is a duplicate by its {@code _id} ({@link ChangeStreamIntakeBuilder#pipeline}).
   *
   * @param change as it came
   * @return its identity
   */
  public static MessageId identity(StreamedChange change) {
    return MessageId.of("mongodb", change.source(), change.place().toJson());
  }

  /**
   * Reads and hands over changes until it is stopped, or the thread is interrupted.
   *
   * @throws IllegalStateException if it has run before; the collection was dropped or renamed; the
   *     server's history has lost the place, and the collection is not to be read again; there are
   *     no change streams, or no right to them; the place cannot be kept
   * @throws MongoException another error that a further attempt would not mend
   */
  @Override
  public void run() {
    if (hasRun.getAndSet(true)) {
      throw new IllegalStateException("a stream runs once: make another one of its builder");
    }
    try {
      followAll();
    } catch (Throwable e) {
      fault =
          e instanceof RuntimeException exception
              ? exception
              : new IllegalStateException("an error has ended the stream of " + faultsOf, e);
      throw e;
    }
  }

  private void followAll() {
    while (goesOn()) {
      try {
        follow();
      } catch (MongoInterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (MongoException e) {
        failed(e);
      }
    }
    Uninterrupted.run(() -> place.saveNow(progress.doneUpTo()));
  }

  /** Lets {@link #run} return once the changes in hand are handled. May be called twice. */
  public void stop() {
    stopped.countDown();
  }

  /**
   * What is held because it is not done: for health checks.
   *
   * @return with reason and since; empty if all is well
   */
  public Optional<HeldChanges> held() {
    return progress.held();
  }

  /**
   * What the server answered last, or why it did not, if that was an error after which the stream
   * goes on, or what has ended it by an exception: for health checks.
   *
   * @return empty if all is well; an {@link Error} that has ended it is the cause of what is
   *     returned
   */
  public Optional<RuntimeException> fault() {
    RuntimeException of = fault;
    return Optional.ofNullable(of == null ? place.fault() : of);
  }

  private boolean goesOn() {
    return stopped.getCount() > 0 && !Thread.currentThread().isInterrupted();
  }

  private void follow() {
    if (!hasBegun) {
      progress.restart(place.read());
      hasBegun = true;
    }
    passOversized();
    isResumed = progress.readUpTo() != null;
    hasMoved = false;
    try (OpenStream stream = OpenStream.of(settings, progress, oversized.isNear())) {
      if (!isResumed && !begin(stream)) {
        return;
      }
      long openedAt = settings.nanos.getAsLong();
      while (goesOn()) {
        step(stream);
        boolean isSilent = settings.nanos.getAsLong() - openedAt > LONGEST_SILENCE.toNanos();
        if (isSilent && !isKnown && stream.isAhead()) {
          readAgain(null);
          return;
        }
        if (oversized.isNear() && hasMoved && stream.isIdle()) {
          oversized.past();
          return;
        }
      }
    }
  }

  private void passOversized() {
    oversized.pass(progress);
  }

  /** The stream is open before the collection is read. Tells whether all of it was. */
  private boolean begin(OpenStream stream) {
    isKnown = true;
    progress.restart(null);
    if (settings.readsFirst && !readAll(stream)) {
      return false;
    }
    progress.add(List.of(), stream.token(), stream.place());
    place.saveNow(progress.doneUpTo());
    return settings.readsFirst || hasPlace();
  }

  /**
   * Tries until the first place is kept, and tells whether it is. A stream from now on that ends
   * before would begin at a later present, and leave out what came between.
   */
  private boolean hasPlace() {
    for (int tries = 1; place.fault() != null && goesOn(); tries++) {
      pause(settings.pauses.after(tries));
      place.saveNow(progress.doneUpTo());
    }
    return place.fault() == null;
  }

  private boolean readAll(OpenStream stream) {
    try (MongoCursor<RawBsonDocument> all = stream.all()) {
      boolean hasMore = all.hasNext();
      while (hasMore && goesOn()) {
        progress.add(stream.next(all, StreamProgress.MOST), null, null);
        do {
          pause(progress.untilDue());
          progress.handle();
        } while (!progress.hasRoom() && goesOn());
        hasMore = all.hasNext();
      }
      return !hasMore;
    }
  }

  private void step(OpenStream stream) {
    if (progress.room() > 0 && !stream.hasEnded()) {
      progress.add(stream.read(progress.room()), stream.token(), stream.place());
      hasMoved = stream.hasMoved();
      isKnown |= hasMoved;
      faults = 0;
      fault = null;
    } else {
      pause(progress.untilDue());
    }
    if (progress.untilDue().isZero()) {
      progress.handle();
    }
    if (stream.hasEnded() && !progress.waits()) {
      place.saveNow(progress.doneUpTo());
      throw faultsOf.invalidated();
    }
    place.save(progress.doneUpTo());
  }

  private void failed(MongoException e) {
    if (hasLostHistory(e)) {
      readAgain(e);
    } else if (progress.readUpTo() != null && oversized.met(e, hasMoved)) {
      isKnown = true;
    } else if (Errors.isLasting(e)) {
      throw faultsOf.lasting(e);
    } else {
      fault = e;
      faults++;
      pause(settings.pauses.after(faults));
    }
  }

  /**
   * Only errors of which this is known are taken for the place's fault: any other one may be that
   * of an event or of the pipeline, behind which nothing is lost. A stream that was opened at the
   * present and cannot go on from there at once could not do so after another reading of the
   * collection either.
   */
  private boolean hasLostHistory(MongoException e) {
    if (Errors.isHistoryLost(e)) {
      boolean isOfPipeline = Errors.isOfPipeline(e);
      return (isResumed || hasMoved) && !(hasMoved && isOfPipeline) && !Errors.hasTakenPlaces(e);
    }
    return isResumed && !isKnown && Errors.isNoPlace(e);
  }

  private void readAgain(@Nullable MongoException why) {
    if (!settings.readsAgain) {
      throw faultsOf.lost(why);
    }
    String answer = why == null ? "" : " (error " + why.getCode() + ")";
    LOG.log(
        System.Logger.Level.WARNING,
        faultsOf.lostHistory() + answer + "; the collection is read again");
    progress.restart(null);
  }

  private void pause(Duration pause) {
    try {
      var unused = stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // which ends the run
    }
  }
}
