package dev.tidemark.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

@DisplayName("The JMH benchmarks")
final class BodiesTest {
  @Test
  @DisplayName("of the judge and of DynamoDB run")
  void ofJudgeAndDynamoDb() throws Exception {
    assertEquals(
        Set.of("JudgeBenchmark", "DynamoDbBenchmark"), once("(Judge|DynamoDb)Benchmark\\."));
  }

  @Test
  @DisplayName("of MongoDB run on images that a server gave")
  void ofMongo() throws Exception {
    RecordedImages.record().forEach(System::setProperty);
    assertEquals(Set.of("MongoBenchmark"), once("MongoBenchmark\\."));
  }

  /** Runs each body once in this JVM; what fails in it fails here. */
  private static Set<String> once(String include) throws RunnerException {
    System.setProperty("jmh.ignoreLock", "true");
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(include)
                    .mode(Mode.SingleShotTime)
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    return results.stream()
        .map(result -> result.getParams().getBenchmark().replaceAll(".*\\.(\\w+)\\.\\w+$", "$1"))
        .collect(Collectors.toSet());
  }
}
