package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.kernel.Lease;
import dev.tidemark.kernel.Uninterrupted;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import org.bson.conversions.Bson;

/** The claim of a message, under which one handler runs at a time. For one thread. */
final class InboxClaim {
  /** How often a claim is made, half of whose lease was over when the answer came. */
  private static final int MOST_LATE = 3;

  private final MongoCollection<Document> records;
  private final Clock clock;
  private final String key;
  private final String nonce;
  private final Duration lease;
  private final Duration keptFor;

  /** Whether a try was made that may have claimed the message. */
  private boolean mayBeMine;

  InboxClaim(
      MongoCollection<Document> records,
      Clock clock,
      String key,
      String nonce,
      Duration lease,
      Duration keptFor) {
    this.records = records;
    this.clock = clock;
    this.key = key;
    this.nonce = nonce;
    this.lease = lease;
    this.keptFor = keptFor;
  }

  /**
   * Claims the message, so that half of the lease is left when this returns.
   *
   * @return false if it is handled, or claimed by another
   * @throws ContentionException if the answers came too late, or others were in the way for too
   *     long; the claim is given up
   * @throws OutcomeUnknownException if no answer came; the claim is given up
   */
  boolean take() {
    try {
      for (int late = 0; late <= MOST_LATE; late++) {
        Lease held = asked();
        if (!isAnswered()) {
          return false;
        }
        if (held.isHalfLeft()) {
          return true;
        }
      }
      throw tooLate();
    } catch (Throwable e) {
      if (mayBeMine) {
        giveUp(e);
      }
      throw e;
    }
  }

  /** Claims it until an answer comes; false if it is another's. */
  private boolean isAnswered() {
    Deadlines deadlines = new Deadlines();
    for (int tries = 1; ; tries++) {
      try {
        return Uninterrupted.call(() -> deadlines.within(this::isClaimed));
      } catch (MongoException e) {
        boolean over = tries == Calls.MOST_TRIES || deadlines.areOver();
        if (over || !Errors.isTransient(e) || Thread.currentThread().isInterrupted()) {
          throw unclaimed(e, tries);
        }
        LockSupport.parkNanos(Calls.PAUSES.after(tries).toNanos());
      }
    }
  }

  /** One try. A message that is taken may be so by an earlier try, which nobody answered. */
  private boolean isClaimed() {
    boolean before = mayBeMine;
    mayBeMine = true;
    try {
      claim();
      return true;
    } catch (MongoException e) {
      Errors.Kind kind = Errors.kind(e);
      if (kind == Errors.Kind.KEY_TAKEN) {
        return before && again();
      }
      mayBeMine = before || kind != Errors.Kind.OTHER;
      throw e;
    }
  }

  private Lease asked() {
    return Lease.asked(System::nanoTime, clock::millis, lease);
  }

  private void claim() {
    Date now = Date.from(clock.instant());
    Bson free =
        Filters.and(
            Filters.eq(MongoInbox.ID, key),
            Filters.or(Filters.lte(MongoInbox.EXPIRES, now), Filters.lt(MongoInbox.LEASE, now)));
    var unused = records.updateOne(free, claimed(), new UpdateOptions().upsert(true));
  }

  private boolean again() {
    return records.updateOne(own(), claimed()).getMatchedCount() == 1;
  }

  private Bson claimed() {
    Date end = Date.from(clock.instant().plus(lease));
    Duration kept = lease.compareTo(keptFor) < 0 ? keptFor : lease; // not forgotten while it holds
    Date expires = Date.from(clock.instant().plus(kept));
    return Updates.combine(handled(expires), Updates.set(MongoInbox.LEASE, end));
  }

  private Bson handled(Date expires) {
    return Updates.combine(
        Updates.set(MongoInbox.NONCE, nonce), Updates.set(MongoInbox.EXPIRES, expires));
  }

  private Bson own() {
    return Filters.and(
        Filters.eq(MongoInbox.ID, key),
        Filters.eq(MongoInbox.NONCE, nonce),
        Filters.exists(MongoInbox.LEASE));
  }

  /** An error that says that nothing is claimed is thrown as it is. */
  private static RuntimeException unclaimed(MongoException e, int tries) {
    Errors.Kind kind = Errors.kind(e);
    if (tries == 1 && kind == Errors.Kind.OTHER) {
      return e;
    }
    return kind == Errors.Kind.CONTENTION
        ? new ContentionException("others outlasted the tries to claim a message", null, e)
        : new OutcomeUnknownException("no answer came to the claim of a message", null, e);
  }

  private ContentionException tooLate() {
    return new ContentionException(
        "MongoDB's answers to claims of a message came when half of their lease of "
            + lease
            + " was over; find out why it is slow, or claim for longer",
        null,
        null);
  }

  /** Makes the claim a record until then; false if another has claimed the message since. */
  boolean confirm(ClientSession session, Date expires) {
    Bson record = Updates.combine(handled(expires), Updates.unset(MongoInbox.LEASE));
    return records.updateOne(session, own(), record).getMatchedCount() == 1;
  }

  /** Lets others handle the message at once. Where that cannot be written, the claim just ends. */
  void giveUp(Throwable error) {
    try {
      Uninterrupted.run(() -> records.deleteOne(own()));
    } catch (RuntimeException e) {
      if (error != e) {
        error.addSuppressed(e);
      }
    }
  }
}
