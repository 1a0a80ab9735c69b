/**
 * Transfers between accounts, by transactions of tracked writes and by the inbox, on both stores:
 * delivered several times and out of order by several processes, while replies are lost, the store
 * is cut off, and the primary steps down. In the end every account and every transfer is compared
 * with the truth. Start at {@link dev.tidemark.lab.transfers.TransfersCommand}.
 */
@NullMarked
package dev.tidemark.lab.transfers;

import org.jspecify.annotations.NullMarked;
