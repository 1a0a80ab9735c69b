package dev.tidemark.mongodb;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.TooLargeException;
import dev.tidemark.kernel.Outbox;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores the outgoing messages of one run of a transaction, each in a document of its own. A
 * message without an ID gets one that follows from its place in the run.
 */
final class TransactionMessages {
  private final SessionScope scope;
  private final @Nullable Ids ids;
  private final Collection<String> clusters;
  private final Set<List<String>> known = new HashSet<>();
  private int place;

  /** What IDs follow from. */
  @FunctionalInterface
  interface Ids {
    /**
     * An ID.
     *
     * @param outbox the name of the collection where the message waits
     * @param place of the message in the transaction
     */
    String id(String outbox, int place);
  }

  /**
   * Messages of a transaction.
   *
   * @param ids null if nothing is handled from which IDs could follow
   * @param clusters of the entities that are written beside them
   */
  TransactionMessages(SessionScope scope, @Nullable Ids ids, Collection<String> clusters) {
    this.scope = scope;
    this.ids = ids;
    this.clusters = clusters;
  }

  /** Messages of a handler, whose IDs follow from the record in its inbox. */
  static TransactionMessages of(
      SessionScope scope, String inbox, String record, MessageId handled) {
    return new TransactionMessages(
        scope,
        (outbox, place) -> Outbox.id(outbox, inbox, EntityKey.key(record), handled, place),
        List.of());
  }

  void publish(MongoOutbox outbox, OutgoingMessage message) {
    String id = message.id().orElseGet(() -> following(outbox.name()));
    place++;
    if (known.contains(List.of(outbox.name(), id))) {
      throw new IllegalArgumentException(
          "two outgoing messages of a transaction have one ID; what is published twice needs two");
    }
    store(outbox, message.id(id));
    known.add(List.of(outbox.name(), id));
  }

  private void store(MongoOutbox outbox, OutgoingMessage message) {
    Runnable publishing = outbox.publishing(scope.session(), message, clusters);
    scope.call( // a failure in it ends the transaction; a wrong argument was refused before
        () -> {
          try {
            publishing.run();
          } catch (RuntimeException e) {
            throw Errors.kind(e) == Errors.Kind.TOO_LARGE ? tooLarge(e) : e;
          }
        });
  }

  private static TooLargeException tooLarge(RuntimeException e) {
    return new TooLargeException(
        "an outgoing message would exceed MongoDB's 16,777,216 bytes; store its payload elsewhere,"
            + " and publish where it is",
        null,
        e);
  }

  private String following(String outbox) {
    if (ids == null) {
      throw nothingToFollow();
    }
    return ids.id(outbox, place);
  }

  static IllegalArgumentException nothingToFollow() {
    return new IllegalArgumentException(
        "an outgoing message of a transaction without tracked writes must have an ID of its own:"
            + " nothing else would be the same when the transaction is made again");
  }
}
