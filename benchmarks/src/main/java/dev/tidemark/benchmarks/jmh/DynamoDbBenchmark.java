package dev.tidemark.benchmarks.jmh;

import dev.tidemark.benchmarks.dynamodb.ByHand;
import dev.tidemark.benchmarks.dynamodb.EnhancedClient;
import dev.tidemark.benchmarks.dynamodb.WithTidemark;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.measure.Workload;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One update of DynamoDB from the call to its outcome, on a client that answers at once. */
@State(Scope.Thread)
public class DynamoDbBenchmark {
  private final ByHand byHand = new ByHand(new StubbedDynamoDb());
  private final WithTidemark tidemark = new WithTidemark(new StubbedDynamoDb());
  private final EnhancedClient enhanced = new EnhancedClient(new StubbedDynamoDb());
  private final Event event = Workload.event("4711", 17);

  /**
   * The baseline.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean byHand() {
    return byHand.highWater(event);
  }

  /**
   * The baseline that maps the entity of the reply.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean byHandReturning() {
    return byHand.highWaterReturning(event);
  }

  /**
   * A native update.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean nativeUpdate() {
    return tidemark.nativeUpdate(event);
  }

  /**
   * A portable update.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean portableUpdate() {
    return tidemark.portableUpdate(event);
  }

  /**
   * A portable update by message ID.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean portableUpdateById() {
    return tidemark.portableUpdateById(event);
  }

  /**
   * The Enhanced Client alone.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean enhancedClient() {
    return enhanced.unguarded(event);
  }

  /**
   * The Enhanced Client with Tidemark's extension.
   *
   * @return whether it was applied
   */
  @Benchmark
  public boolean extension() {
    return enhanced.tracked(event);
  }
}
