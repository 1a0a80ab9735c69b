package dev.tidemark.dynamodb;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.kernel.Text;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * A caller's own writes of one transaction, which {@link DynamoDbInbox} sends with the record of a
 * message, and {@link DynamoDbTransaction} with tracked writes. An inbox takes none once its
 * handler has returned: that is an {@link IllegalStateException}. For one thread.
 */
public final class TransactionWrites {
  private final int most;
  private final List<TransactWriteItem> items = new ArrayList<>();
  private final List<Target> targets = new ArrayList<>();
  private final List<Published> published = new ArrayList<>();
  private boolean ended;

  TransactionWrites(int most) {
    this.most = most;
  }

  /**
   * An item of which a transaction may have one action.
   *
   * @param attributes the key; of a put the whole item, since only the table knows its key
   */
  record Target(String table, Map<String, AttributeValue> attributes, boolean isPut) {
    /** Whether both are one item; of two puts that is DynamoDB's to say. */
    boolean meets(Target other) {
      return Objects.equals(table, other.table)
          && (isPut ? !other.isPut && other.isIn(attributes) : isIn(other.attributes));
    }

    private boolean isIn(Map<String, AttributeValue> item) {
      return !attributes.isEmpty() && !Errors.item(item, attributes).isEmpty();
    }
  }

  /** A message that waits in a record of its own. */
  private record Published(DynamoDbOutbox outbox, OutgoingMessage message) {}

  /** What IDs of messages follow from which have none of their own. */
  @FunctionalInterface
  interface Ids {
    /**
     * An ID.
     *
     * @param outbox the name of the table where the message waits
     * @param place of the message in the transaction
     */
    String id(String outbox, int place);
  }

  /**
   * Adds a put.
   *
   * @param put the put, with the condition that it likes
   * @return this
   * @throws IllegalArgumentException if there are too many writes, or one of the same item that is
   *     no put: of two puts DynamoDB says so
   */
  public TransactionWrites put(Consumer<Put.Builder> put) {
    return add(TransactWriteItem.builder().put(put).build());
  }

  /**
   * Adds an update.
   *
   * @param update the update, with the condition that it likes
   * @return this
   * @throws IllegalArgumentException if there are too many writes, or one of the same item
   */
  public TransactionWrites update(Consumer<Update.Builder> update) {
    return add(TransactWriteItem.builder().update(update).build());
  }

  /**
   * Adds a deletion.
   *
   * @param delete the deletion, with the condition that it likes
   * @return this
   * @throws IllegalArgumentException if there are too many writes, or one of the same item
   */
  public TransactionWrites delete(Consumer<Delete.Builder> delete) {
    return add(TransactWriteItem.builder().delete(delete).build());
  }

  /**
   * Adds a condition on an item that is not written.
   *
   * @param check the condition
   * @return this
   * @throws IllegalArgumentException if there are too many writes, or one of the same item
   */
  public TransactionWrites check(Consumer<ConditionCheck.Builder> check) {
    return add(TransactWriteItem.builder().conditionCheck(check).build());
  }

  /**
   * Adds any action of a transaction, such as those that the Enhanced Client renders.
   *
   * @param item the action
   * @return this
   * @throws IllegalArgumentException if there are too many writes, or one of the same item
   */
  public TransactionWrites add(TransactWriteItem item) {
    requireRoom();
    Target target = target(Objects.requireNonNull(item, "item"));
    if (!takes(target)) {
      throw new IllegalArgumentException(
          "a transaction takes one action on an item; write "
              + items.size()
              + " names an item of table '"
              + target.table()
              + "' that another one has");
    }
    items.add(item);
    return this;
  }

  /**
   * Publishes a message: it is stored with the transaction's other writes, by a put of a record of
   * its own, and a relay over that outbox sends it. Messages of records of their own have no order
   * among each other.
   *
   * @param outbox of a table for such messages alone, as {@link DynamoDbOutbox#createTable} makes
   *     it. Of several clusters its tracking has to name one where no tracked write is beside it,
   *     as in an inbox
   * @param message without an ID of its own it gets one that follows from the message that is
   *     handled, in a {@link DynamoDbTransaction} from the first tracked write, and from the place
   *     among what is published
   * @return this
   * @throws IllegalArgumentException if there are too many writes, or two messages of one ID
   */
  public TransactionWrites publish(DynamoDbOutbox outbox, OutgoingMessage message) {
    requireRoom();
    Objects.requireNonNull(outbox, "outbox");
    Optional<String> id = message.id();
    if (id.isPresent() && !takes(new Target(outbox.name(), OutboxItems.key(id.get()), false))) {
      throw new IllegalArgumentException(
          "two outgoing messages of a transaction have one ID; what is published twice needs two");
    }
    published.add(new Published(outbox, message));
    return this;
  }

  /** Takes no more: what is added later is in no transaction. */
  void end() {
    ended = true;
  }

  private void requireRoom() {
    if (ended) {
      throw new IllegalStateException(
          "the handler has returned, so its writes are sent without this one; add it before");
    }
    if (size() == most) {
      throw new IllegalArgumentException(
          "a transaction takes at most " + most + " writes of yours; put the rest into another");
    }
  }

  private static Target target(TransactWriteItem item) {
    if (item.put() != null) {
      return new Target(item.put().tableName(), item.put().item(), true);
    }
    if (item.update() != null) {
      return new Target(item.update().tableName(), item.update().key(), false);
    }
    if (item.delete() != null) {
      return new Target(item.delete().tableName(), item.delete().key(), false);
    }
    ConditionCheck check = Text.given("action of an item", item.conditionCheck());
    return new Target(check.tableName(), check.key(), false);
  }

  /** Takes an item, unless it has it. */
  private boolean takes(Target target) {
    return !isWriting(target) && targets.add(target);
  }

  /** Whether one of the writes is of an item. */
  boolean isWriting(Target target) {
    return targets.stream().anyMatch(target::meets);
  }

  int size() {
    return items.size() + published.size();
  }

  /**
   * The caller's writes, and behind them the messages.
   *
   * @param ids null if nothing is handled from which IDs could follow
   * @param clusters of the entities that are written beside them
   * @throws IllegalArgumentException if a message has no ID and gets none, or comes from several
   *     clusters
   */
  List<TransactWriteItem> items(@Nullable Ids ids, Collection<String> clusters) {
    List<TransactWriteItem> all = new ArrayList<>(items);
    for (int place = 0; place < published.size(); place++) {
      DynamoDbOutbox outbox = published.get(place).outbox;
      OutgoingMessage message = published.get(place).message;
      if (message.id().isEmpty()) {
        if (ids == null) {
          throw new IllegalArgumentException(
              "an outgoing message of a transaction without tracked writes must have an ID of its"
                  + " own: nothing else would be the same when the transaction is made again");
        }
        message = message.id(ids.id(outbox.name(), place));
      }
      all.add(outbox.put(message, clusters));
    }
    return all;
  }
}
