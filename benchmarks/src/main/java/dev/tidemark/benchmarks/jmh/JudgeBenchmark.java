package dev.tidemark.benchmarks.jmh;

import dev.tidemark.EventPolicy;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Judge;
import dev.tidemark.kernel.Judgement;
import dev.tidemark.kernel.SourceMark;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The pure judge over marks in memory. */
@State(Scope.Thread)
public class JudgeBenchmark {
  private static final long FLOOR = 1_000;
  private static final int WINDOW = 100;

  /** What the entity does with events. */
  @Param({"DROP_LATE", "CONTIGUOUS", "DENSE_WINDOW", "SPARSE_WINDOW"})
  public EventPolicy.@Nullable Kind kind;

  private EventPolicy policy = EventPolicy.dropLate();
  private SourceMark mark = new SourceMark(0, Position.of(FLOOR), new TreeSet<>(), null);
  private SourceEvent event = SourceEvent.of("Order", "4711", FLOOR + 1);

  /** Makes a mark with 50 positions above the floor, where the policy has a window. */
  @Setup
  public void marks() {
    boolean window =
        kind == EventPolicy.Kind.DENSE_WINDOW || kind == EventPolicy.Kind.SPARSE_WINDOW;
    policy =
        kind == EventPolicy.Kind.CONTIGUOUS
            ? EventPolicy.contiguous()
            : kind == EventPolicy.Kind.DENSE_WINDOW
                ? EventPolicy.denseWindow(WINDOW)
                : kind == EventPolicy.Kind.SPARSE_WINDOW
                    ? EventPolicy.sparseWindow(WINDOW)
                    : EventPolicy.dropLate();
    TreeSet<Position> seen = new TreeSet<>();
    for (long above = FLOOR + 2; window && above <= FLOOR + WINDOW; above += 2) {
      seen.add(Position.of(above));
    }
    mark = new SourceMark(0, Position.of(FLOOR), seen, null);
    event = SourceEvent.of("Order", "4711", FLOOR + 1);
  }

  /**
   * What a delivery deserves.
   *
   * @return the judgement
   */
  @Benchmark
  public Judgement judge() {
    return Judge.judge(mark, event, policy);
  }

  /**
   * What the marks become.
   *
   * @return the next mark
   */
  @Benchmark
  public SourceMark advance() {
    return Judge.advance(mark, event, policy);
  }
}
