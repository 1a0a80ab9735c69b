package dev.tidemark.example.orderhistory;

import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import org.bson.codecs.pojo.annotations.BsonId;

/**
 * What one consumer spent in one month. For one thread.
 *
 * <p>A row gets a few events of each of many orders; a mark for each order would outgrow it, so it
 * keeps the ids of events, for longer than any carrier keeps the events.
 */
@Tracked(messageIds = @MessageIds(keptFor = "P30D", compact = true))
public final class SpendingView {
  /** Consumer and month, such as {@code consumer-7/2026-11}. */
  @BsonId public String id = "";

  /** How many orders were placed. */
  public long orders;

  /** What the orders came to, without tips, in cents. */
  public long spent;

  /** What was given as tips, in cents. */
  public long tips;

  /** What was paid back, in cents. */
  public long refunded;
}
