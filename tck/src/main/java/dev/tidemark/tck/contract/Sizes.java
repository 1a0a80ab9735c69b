package dev.tidemark.tck.contract;

import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.ReferenceBackend;

/** How long the long runs are. */
final class Sizes {
  private static final boolean FULL = Boolean.getBoolean("tidemark.full");

  private Sizes() {}

  /**
   * Messages to one entity: 10^5 with {@code tidemark.full}, else 20,000 in memory, 2,000 in a
   * store, and 1,000 in a second configuration: 20 turns of what a policy keeps at least.
   */
  static int messages(Backend backend) {
    if (FULL) {
      return 100_000;
    }
    return backend instanceof ReferenceBackend ? 20_000 : backend.isSecond() ? 1_000 : 2_000;
  }

  /**
   * Requests per message, in the long run: a slot is closed at most once in 20 writes, by one
   * request more.
   */
  static double requests(Backend backend) {
    return 1.05 * requestsOfOne(backend);
  }

  /** Requests of one update that is applied and closes no slot. */
  static int requestsOfOne(Backend backend) {
    return backend.missing().containsKey(Capability.ONE_COMMAND_REFUSALS) ? 2 : 1;
  }

  /** Examples of a property test that makes a few requests for each. */
  static int examples() {
    return FULL ? 2_000 : 200;
  }

  /** The same on a store: fewer on a second configuration. */
  static int examples(Backend backend) {
    return !FULL && backend.isSecond() ? 60 : examples();
  }

  /** Lives of some forty writes each. */
  static int lives(Backend backend) {
    return backend instanceof ReferenceBackend ? 2 * examples() : examples(backend) / 4;
  }

  /** After how many batches that bring nothing new random operations have brought all. */
  static int quietBatches(Backend backend) {
    return FULL ? 20 : backend instanceof ReferenceBackend ? 3 : 1;
  }

  /** How many random operations are a batch. */
  static int batch(Backend backend) {
    return FULL || backend instanceof ReferenceBackend ? 200 : 10;
  }

  /** Where random examples start; {@code tidemark.seed} gives another place. */
  static long seed() {
    return Long.getLong("tidemark.seed", FULL ? System.nanoTime() : 20_260_101L);
  }
}
