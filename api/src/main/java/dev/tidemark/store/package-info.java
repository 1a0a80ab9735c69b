/**
 * The port of plain records: what a store implements so that Tidemark can keep records of its own
 * in it, such as those of idempotency keys, leases of relays, and what clusters note.
 *
 * <p>A record is a key and named fields. {@link dev.tidemark.store.RecordStore} writes a record
 * under a {@link dev.tidemark.store.Guard}, reads it consistently, and looks keys up by one index.
 * It knows nothing of executions or leases: what fields mean is said once for all stores, by the
 * code that writes them. Users only hand a store over:
 *
 * <pre>{@code
 * RecordStore records = DynamoDbRecordStore.of(client, "executions");
 * Executions checkouts = Executions.of("checkout", records);
 * }</pre>
 *
 * <p>Whoever implements a store begins at {@link dev.tidemark.store.RecordStore}, and runs {@code
 * RecordStoreContract} of {@code tidemark-tck}.
 */
@NullMarked
package dev.tidemark.store;

import org.jspecify.annotations.NullMarked;
