package dev.tidemark.benchmarks.jmh;

import dev.tidemark.benchmarks.dynamodb.ByHand;
import dev.tidemark.benchmarks.dynamodb.EnhancedClient;
import dev.tidemark.benchmarks.dynamodb.WithTidemark;
import dev.tidemark.benchmarks.measure.Event;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One update of DynamoDB from the call to its outcome, on a client that answers at once. */
@State(Scope.Thread)
public class DynamoDbBenchmark {
  private final ByHand byHand = new ByHand(new StubbedDynamoDb());
  private final WithTidemark tidemark = new WithTidemark(new StubbedDynamoDb());
  private final EnhancedClient enhanced = new EnhancedClient(new StubbedDynamoDb());
  private final Event event = Event.of("4711", 17);

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
   * The baseline that maps the entity of the reply.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean byHandReturning() {
    return applied(byHand.highWaterReturning(event));
  }

  /**
   * A native update.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean nativeUpdate() {
    return applied(tidemark.nativeUpdate(event));
  }

  /**
   * A native update whose outcome brings the entity.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean nativeReturning() {
    return applied(tidemark.nativeReturning(event));
  }

  /**
   * A portable update.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean portableUpdate() {
    return applied(tidemark.portableUpdate(event));
  }

  /**
   * A portable update by message ID.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean portableUpdateById() {
    return applied(tidemark.portableUpdateById(event));
  }

  /**
   * The Enhanced Client alone.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean enhancedClient() {
    return applied(enhanced.unguarded(event));
  }

  /**
   * The Enhanced Client with Tidemark's extension.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean extension() {
    return applied(enhanced.tracked(event));
  }
}
