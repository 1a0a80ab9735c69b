package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.inbox.Handled;
import dev.tidemark.kernel.Lease;
import dev.tidemark.kernel.Uninterrupted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The claim of a message, under which one handler runs at a time. For one thread. */
final class InboxClaim {
  /** How often a claim is made, half of whose lease was over when the answer came. */
  private static final int MOST_LATE = 3;

  private final DynamoDbClient client;
  private final InboxRecords records;
  private final String key;
  private final Duration lease;
  private String nonce = UUID.randomUUID().toString();

  /** What a renewal replaces; where no answer comes to it, either may be stored. */
  private String before = nonce;

  InboxClaim(DynamoDbClient client, InboxRecords records, String key, Duration lease) {
    this.client = client;
    this.records = records;
    this.key = key;
    this.lease = lease;
  }

  /**
   * Claims the message, so that half of the lease is left when this returns.
   *
   * @return the answer if it is handled, or claimed by another; empty if it is claimed now
   * @throws ContentionException if the answers came too late. Whatever is thrown, the message may
   *     be claimed: the caller gives it up
   */
  <R> Optional<Handled<R>> take() {
    Lease held = asked();
    InboxPart claim = records.claim(key, nonce, lease);
    for (int late = 0; ; late++) {
      Transactions.send(client, List.of(claim), List.of(), List.of());
      if (!claim.isMade()) {
        return Optional.of(claim.answer());
      }
      if (held.isHalfLeft()) {
        return Optional.empty();
      }
      if (late == MOST_LATE) {
        throw tooLate();
      }
      held = asked();
      claim = again();
    }
  }

  private Lease asked() {
    return Lease.asked(System::nanoTime, records.clock()::millis, lease);
  }

  private InboxPart again() {
    before = nonce;
    nonce = UUID.randomUUID().toString();
    return records.claimAgain(key, before, nonce, lease);
  }

  private ContentionException tooLate() {
    return new ContentionException(
        "DynamoDB's answers to claims of a message came when half of their lease of "
            + lease
            + " was over; find out why it is slow, or claim for longer",
        null,
        null);
  }

  /** Says that the message is handled, if it is still claimed so. */
  InboxPart handled() {
    return records.handledAsClaimed(key, nonce);
  }

  /** Lets others handle the message at once. Where that cannot be written, the claim just ends. */
  void giveUp(@Nullable Throwable error) {
    try {
      Uninterrupted.run(() -> records.giveUp(client, key, nonce, before));
    } catch (RuntimeException e) {
      if (error != null && error != e) {
        error.addSuppressed(e);
      }
    }
  }
}
