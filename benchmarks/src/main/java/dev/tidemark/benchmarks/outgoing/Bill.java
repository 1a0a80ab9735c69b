package dev.tidemark.benchmarks.outgoing;

/**
 * What some messages took.
 *
 * @param requests that left for the store, commands on MongoDB
 * @param writes billed write units
 * @param reads billed read units
 */
public record Bill(double requests, double writes, double reads) {
  /** What was added since an earlier bill, for each of so many messages. */
  Bill since(Bill earlier, int messages) {
    return new Bill(
        (requests - earlier.requests) / messages,
        (writes - earlier.writes) / messages,
        (reads - earlier.reads) / messages);
  }
}
