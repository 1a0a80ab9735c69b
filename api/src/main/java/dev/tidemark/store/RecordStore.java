package dev.tidemark.store;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where plain records are kept, each a key and named fields. This is all that a store implements;
 * the module {@code tidemark-tck} has the contract that it must hold. Safe for use by many threads.
 *
 * <p>What can be stored is said by {@link ConditionalWrite}, what comes back by {@link
 * StoredRecord}.
 */
public interface RecordStore {
  /**
   * Writes or removes a record as a whole, under a condition, in one request.
   *
   * @param write the record and the condition
   * @return what came of it
   * @throws dev.tidemark.OutcomeUnknownException if the wait for the store was broken off
   */
  Answer<StoredRecord> write(ConditionalWrite write);

  /**
   * Reads a record, consistently.
   *
   * @param key the record's key
   * @return empty if there is none
   * @throws dev.tidemark.ContentionException if the store was throttling for too long
   */
  Optional<StoredRecord> read(String key);

  /**
   * Looks for records of one partition of the index whose order has come, by {@link
   * StoredRecord#PENDING} and {@link StoredRecord#LEASE_END}. A store may spread a partition over
   * several parts of its index. Within one part the lowest come first, and no part always comes
   * last.
   *
   * @param partition what {@code pending} is
   * @param from {@code leaseEnd} is as high at least
   * @param before {@code leaseEnd} is lower; none is where it is not more than {@code from}
   * @param most how many to give; at least 1
   * @return their keys; those of an index that lags may have changed by now
   * @throws dev.tidemark.ContentionException if the store was throttling for too long
   */
  List<String> due(String partition, long from, long before, int most);

  /**
   * Looks for records of one partition of the index by their keys.
   *
   * @param partition what {@code pending} is
   * @param prefix what their keys start with
   * @param most how many to give; at least 1
   * @return their keys, in no order; those of an index that lags may have changed by now
   * @throws dev.tidemark.ContentionException if the store was throttling for too long
   */
  List<String> pending(String partition, String prefix, int most);

  /**
   * Lists what is stored, for operators: a store may have to look at everything that it has.
   *
   * @param prefix what the keys start with
   * @param after the key that the list goes on behind, in the store's order; null for the first
   * @param most how many to give; at least 1
   * @return keys in the store's order, each once; fewer than asked for are the last
   * @throws dev.tidemark.ContentionException if the store was throttling for too long
   */
  List<String> list(String prefix, @Nullable String after, int most);

  /**
   * The clock that leases and expiry are told by.
   *
   * @return the store's clock
   */
  Clock clock();

  /**
   * How large a record may be, in bytes of UTF-8 of its values.
   *
   * @return at least 10,000
   */
  int mostBytes();
}
