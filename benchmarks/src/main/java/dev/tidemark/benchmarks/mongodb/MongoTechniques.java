package dev.tidemark.benchmarks.mongodb;

import static dev.tidemark.benchmarks.measure.OneByOne.guarded;
import static dev.tidemark.benchmarks.measure.OneByOne.unguarded;

import dev.tidemark.benchmarks.measure.Crowded;
import dev.tidemark.benchmarks.measure.Shape;
import dev.tidemark.benchmarks.measure.Technique;
import java.util.ArrayList;
import java.util.List;

/** All that is measured on MongoDB; a further technique is one more entry. */
final class MongoTechniques {
  private MongoTechniques() {}

  static List<Technique> all(Collections collections) {
    ByHand byHand = new ByHand(collections.orders());
    WithTidemark tidemark = new WithTidemark(collections.orders());
    ProcessedCollection processed = new ProcessedCollection(collections);
    List<Technique> all =
        new ArrayList<>(
            List.of(
                unguarded("unguarded", byHand::unguarded),
                guarded("hand-written", byHand::highWater),
                guarded("Tidemark native", tidemark::nativeUpdate),
                guarded("Tidemark portable", tidemark::portableUpdate),
                guarded("Tidemark by message ID", tidemark::portableUpdateById),
                guarded("hand-written by message ID", byHand::rememberingIds),
                tidemark.batches("Tidemark, batches of 10", Shape.perEntity(10)),
                tidemark.batchesOfFunctions(10),
                tidemark.batches("Tidemark, bulk of 100 entities", Shape.acrossEntities(100)),
                WithTidemark.cached(collections.orders()),
                guarded("transaction", processed::inTransaction),
                guarded("insert, then update", processed::insertFirst),
                guarded("check, then act", processed::checkThenAct)));
    all.addAll(new BeyondOneEntity(collections, byHand).all());
    all.add(Crowded.of(guarded("Tidemark by message ID", tidemark::portableUpdateById)));
    all.add(Crowded.of(guarded("transaction", processed::inTransaction)));
    all.addAll(tidemark.polled());
    return all;
  }
}
