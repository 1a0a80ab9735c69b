package dev.tidemark.mongodb;

import dev.tidemark.EntityStore;
import dev.tidemark.Key;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Batches of one store: what has to be read first in one find, then one unordered bulk of a write
 * for each entity, as often as it takes.
 */
final class MongoBatches<T> {
  private final MongoContext<T> context;
  private final EntityStore<T> store;

  MongoBatches(MongoContext<T> context, EntityStore<T> store) {
    this.context = context;
    this.store = store;
  }

  List<Result<T>> writeAll(List<Write<T>> writes) {
    if (!context.transport().hasPipelines() || spellsKeysTwice(writes)) {
      return Batch.oneByOne(store, writes);
    }
    Batch<T> batch = new Batch<>(writes, context.tracking());
    MongoLookups<T> lookups = new MongoLookups<>(context, writes);
    List<Batch.Group<T>> groups = batch.next();
    while (!groups.isEmpty()) {
      List<MongoFold<T>> folds =
          groups.stream().map(group -> MongoFold.of(context, store, group)).toList();
      run(lookups, folds);
      for (int i = 0; i < folds.size(); i++) {
        batch.end(groups.get(i), folds.get(i).results());
      }
      groups = batch.next();
    }
    return batch.results();
  }

  /** Whether one id comes with other routing fields too: then neither stands for the other. */
  private boolean spellsKeysTwice(List<Write<T>> writes) {
    Map<Object, Key> seen = new HashMap<>();
    return writes.stream()
        .map(Write::key)
        .anyMatch(key -> !key.equals(seen.merge(key.parts(), key, (first, next) -> first)));
  }

  private void run(MongoLookups<T> lookups, List<MongoFold<T>> folds) {
    List<MongoFold<T>> open = folds;
    while (!open.isEmpty()) {
      open.forEach(MongoFold::advance);
      look(lookups, open.stream().filter(MongoFold::mustLook).toList());
      List<MongoFold<T>> ready = open.stream().filter(fold -> fold.model() != null).toList();
      if (!ready.isEmpty()) {
        new MongoBulk<>(context, lookups, ready).send();
      }
      open = open.stream().filter(fold -> !fold.isFinished()).toList();
    }
  }

  private void look(MongoLookups<T> lookups, List<MongoFold<T>> folds) {
    if (folds.isEmpty()) {
      return;
    }
    try {
      Function<MongoFold<T>, MongoStored<T>> stored = lookups.read(folds);
      if (stored == null) {
        folds.forEach(MongoFold::singly);
      } else {
        folds.forEach(fold -> over(fold, stored));
      }
    } catch (RuntimeException e) {
      folds.forEach(fold -> fold.fault(e, false));
    }
  }

  private void over(MongoFold<T> fold, Function<MongoFold<T>, MongoStored<T>> stored) {
    try {
      fold.over(stored.apply(fold));
    } catch (RuntimeException e) { // what is stored cannot be read
      fold.fault(e, false);
    }
  }
}
