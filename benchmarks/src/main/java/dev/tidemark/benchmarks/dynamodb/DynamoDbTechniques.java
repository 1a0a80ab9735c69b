package dev.tidemark.benchmarks.dynamodb;

import static dev.tidemark.benchmarks.measure.OneByOne.guarded;
import static dev.tidemark.benchmarks.measure.OneByOne.unguarded;

import dev.tidemark.benchmarks.measure.Crowded;
import dev.tidemark.benchmarks.measure.Technique;
import java.util.ArrayList;
import java.util.List;

/** All that is measured on DynamoDB; a further technique is one more entry. */
final class DynamoDbTechniques {
  private static final int IN_FLIGHT = 64;

  private DynamoDbTechniques() {}

  static List<Technique> all(Clients clients) {
    ByHand byHand = new ByHand(clients.sync());
    WithTidemark tidemark = new WithTidemark(clients.sync());
    EnhancedClient enhanced = new EnhancedClient(clients.sync());
    ProcessedTable processed = new ProcessedTable(clients.sync());
    Asynchronous async = new Asynchronous(clients.async());
    Powertools powertools = new Powertools(clients.sync(), byHand);
    Peeled peeled = new Peeled(clients.sync());
    List<Technique> all =
        new ArrayList<>(
            List.of(
                unguarded("unguarded", byHand::unguarded),
                guarded("hand-written", byHand::highWater),
                guarded("Tidemark native", tidemark::nativeUpdate),
                guarded("Tidemark portable", tidemark::portableUpdate),
                guarded("its request by hand", peeled::request),
                guarded("hand-written, returning", byHand::highWaterReturning),
                guarded("Tidemark native, returning", tidemark::nativeReturning),
                guarded("Tidemark extension", enhanced::tracked),
                unguarded("Enhanced Client, unguarded", enhanced::unguarded),
                guarded("Tidemark by message ID", tidemark::portableUpdateById),
                guarded("hand-written by message ID", byHand::rememberingIds),
                new InFlight("hand-written async", IN_FLIGHT, async::byHand),
                new InFlight("Tidemark async", IN_FLIGHT, async::nativeUpdate),
                tidemark.batches(10),
                tidemark.batches(25),
                tidemark.batchesOfFunctions(10),
                WithTidemark.cached(clients.sync()),
                guarded("transaction", processed::inTransaction),
                guarded("Powertools", powertools::apply),
                guarded("check, then act", processed::checkThenAct)));
    all.addAll(new BeyondOneEntity(clients.sync(), byHand).all());
    all.add(Crowded.of(guarded("Tidemark by message ID", tidemark::portableUpdateById)));
    all.add(Crowded.of(guarded("transaction", processed::inTransaction)));
    all.addAll(tidemark.polled());
    return all;
  }
}
