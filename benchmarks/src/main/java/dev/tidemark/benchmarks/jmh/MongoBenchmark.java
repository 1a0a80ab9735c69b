package dev.tidemark.benchmarks.jmh;

import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.mongodb.ByHand;
import dev.tidemark.benchmarks.mongodb.WithTidemark;
import org.bson.BsonDocument;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One update of MongoDB from the call to its outcome, on a collection that answers at once. */
@State(Scope.Thread)
public class MongoBenchmark {
  private final ByHand byHand = new ByHand(StubbedMongo.answering(new BsonDocument()));
  private final WithTidemark natively = tidemark(RecordedImages.NATIVE);
  private final WithTidemark portably = tidemark(RecordedImages.PORTABLE);
  private final WithTidemark byId = tidemark(RecordedImages.BY_ID);
  private final Event event = Event.of("4711", 17);

  private static WithTidemark tidemark(String image) {
    return new WithTidemark(StubbedMongo.answering(RecordedImages.read(image)));
  }

  /** What is refused costs another time. */
  private static boolean applied(boolean applied) {
    if (!applied) {
      throw new IllegalStateException("not applied");
    }
    return true;
  }

  /**
   * The baseline.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean byHand() {
    return applied(byHand.highWater(event));
  }

  /**
   * A native update.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean nativeUpdate() {
    return applied(natively.nativeUpdate(event));
  }

  /**
   * A portable update.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean portableUpdate() {
    return applied(portably.portableUpdate(event));
  }

  /**
   * A portable update by message ID.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean portableUpdateById() {
    return applied(byId.portableUpdateById(event));
  }
}
