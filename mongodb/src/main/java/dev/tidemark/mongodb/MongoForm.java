package dev.tidemark.mongodb;

import dev.tidemark.Outcome;
import java.util.Optional;

/** The two forms in which one change is written: as a pipeline, or as operators under a filter. */
interface MongoForm<T> {

  /**
   * What a blind write did.
   *
   * @param outcome Applied; empty if it was refused
   * @param stored what refused it
   */
  record Attempt<T>(Optional<Outcome<T>> outcome, MongoStored<T> stored) {
    static <T> Attempt<T> applied(Outcome<T> outcome) {
      return new Attempt<>(Optional.of(outcome), MongoStored.nothing());
    }

    static <T> Attempt<T> refused(MongoStored<T> stored) {
      return new Attempt<>(Optional.empty(), stored);
    }
  }

  /** Writes without having read. */
  Attempt<T> blind();

  /** Reads. */
  MongoStored<T> look();

  /** Writes on the condition that nothing was written since the look; empty if something was. */
  Optional<Outcome<T>> informed(MongoStored<T> stored);

  /** Records the message alone, on the same condition. */
  boolean skip(MongoStored<T> stored);
}
