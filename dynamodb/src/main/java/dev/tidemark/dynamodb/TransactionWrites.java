package dev.tidemark.dynamodb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * message, and {@link DynamoDbTransaction} with tracked writes. For one thread.
 */
public final class TransactionWrites {
  private final int most;
  private final List<TransactWriteItem> items = new ArrayList<>();
  private final Set<Target> targets = new HashSet<>();

  TransactionWrites(int most) {
    this.most = most;
  }

  /** An item of which a transaction may have one action. */
  record Target(String table, Map<String, AttributeValue> key) {}

  /**
   * Adds a put.
   *
   * @param put the put, with the condition that it likes
   * @return this
   * @throws IllegalArgumentException if there are too many writes
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
    if (items.size() == most) {
      throw new IllegalArgumentException("a transaction takes " + most + " writes of yours");
    }
    Target target = target(Objects.requireNonNull(item, "item"));
    if (target != null && !targets.add(target)) {
      throw new IllegalArgumentException(
          "a transaction takes one action on an item; write "
              + items.size()
              + " names an item of table '"
              + target.table
              + "' that another one has");
    }
    items.add(item);
    return this;
  }

  /** The item of an action; null of a put, whose key only the table knows. */
  private static @Nullable Target target(TransactWriteItem item) {
    if (item.update() != null) {
      return new Target(item.update().tableName(), item.update().key());
    }
    if (item.delete() != null) {
      return new Target(item.delete().tableName(), item.delete().key());
    }
    ConditionCheck check = item.conditionCheck();
    return check == null ? null : new Target(check.tableName(), check.key());
  }

  Set<Target> targets() {
    return targets;
  }

  List<TransactWriteItem> items() {
    return items;
  }
}
