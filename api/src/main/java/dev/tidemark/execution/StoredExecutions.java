package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.kernel.Text;
import dev.tidemark.kernel.TypedRecords;
import dev.tidemark.store.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is stored of the executions of one scope, for operators: which keys wait for a person, how
 * far a key is, which keys there are. {@link Executions#release} and {@link Executions#forget} act
 * on what is found. It writes nothing. Safe for use by many threads.
 */
public final class StoredExecutions {
  private final String scope;
  private final String prefix;
  private final TypedRecords<ExecutionRecord> records;

  private StoredExecutions(String scope, RecordStore records) {
    this.scope = Misuse.checked(() -> Text.notEmpty("a scope", scope));
    this.prefix = prefix(scope);
    this.records = new TypedRecords<>(Misuse.given("records", records), ExecutionCodec.CODEC);
  }

  /**
   * What is stored of a scope.
   *
   * @param scope of {@link Executions}; not empty
   * @param records where the records are kept
   * @return its executions
   */
  public static StoredExecutions of(String scope, RecordStore records) {
    return new StoredExecutions(scope, records);
  }

  /**
   * Looks at one key, by one read.
   *
   * @param key the idempotency key
   * @return empty if nothing is stored, or its time is over
   * @throws CorruptRecordException if the record cannot be read; its {@code key()} is the key
   */
  public Optional<StoredExecution> find(String key) {
    try {
      return records
          .read(at(key))
          .filter(this::isThere)
          .map(found -> StoredExecution.of(key, found));
    } catch (CorruptRecordException e) {
      throw Faults.withKey(e, EntityKey.key(key));
    }
  }

  /**
   * Looks for keys that wait for a person, by an index that has nothing else in it, and a read of
   * each.
   *
   * @param most how many to give; at least 1
   * @return those that still wait, in no order
   * @throws IllegalArgumentException if {@code most} is less than 1
   * @throws CorruptRecordException if one cannot be read; its {@code key()} tells which, and {@link
   *     Executions#forget} removes it
   */
  public List<StoredExecution> parked(int most) {
    return read(records.pending(ExecutionCodec.PARKED, prefix, most)).stream()
        .filter(one -> one.state() == State.PARKED)
        .toList();
  }

  /**
   * Lists the keys of the scope, by a read of each. On DynamoDB it reads the whole table, of which
   * every kilobyte is billed.
   *
   * @param after the last key of the list before; empty for the first list
   * @param most how many to look at; at least 1
   * @return those that are there, in the store's order; an empty list is the last
   * @throws IllegalArgumentException if {@code most} is less than 1
   * @throws CorruptRecordException if one cannot be read; its {@code key()} tells which, and {@link
   *     Executions#forget} removes it
   */
  public List<StoredExecution> list(Optional<String> after, int most) {
    String last = Misuse.given("after", after).map(this::at).orElse(null);
    while (true) {
      List<String> keys = records.list(prefix, last, most);
      List<StoredExecution> found = read(keys);
      if (!found.isEmpty() || keys.size() < most) {
        return found;
      }
      last = keys.get(keys.size() - 1); // all of these have gone
    }
  }

  private List<StoredExecution> read(List<String> keys) {
    List<StoredExecution> found = new ArrayList<>();
    for (String at : keys) {
      find(key(at)).ifPresent(found::add);
    }
    return found;
  }

  private boolean isThere(ExecutionRecord found) {
    return !ClaimJudge.isExpired(found, records.clock().millis());
  }

  private String at(String key) {
    return at(scope, key);
  }

  /** The key of a record. */
  static String at(String scope, String key) {
    return Misuse.checked(() -> Text.join(List.of(scope, Text.wellFormed("idempotency key", key))));
  }

  private static String prefix(String scope) {
    String one = at(scope, "-");
    return one.substring(0, one.length() - 1);
  }

  private String key(String at) {
    return given(scope, at);
  }

  /** The key of a record as it was given. */
  static String given(String scope, String at) {
    return at.substring(prefix(scope).length()).replace("%2F", "/").replace("%25", "%");
  }
}
