package dev.tidemark.lab.clusters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.lab.clusters.Simulation.Result;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@DisplayName("A simulation of clusters")
class SimulationTest {
  private static final int MESSAGES = 3_000;

  /** Of runs in which each pass takes long. */
  private static final int FEW = 300;

  private static Stream<Plan> plans(int messages) {
    return IntStream.rangeClosed(1, 3)
        .boxed()
        .flatMap(seed -> new Plans(messages, seed).of(seed + 1).stream());
  }

  static Stream<Plan> plans() {
    return plans(MESSAGES).filter(plan -> !plan.runs().areHard());
  }

  static Stream<Plan> hardPlans() {
    return plans(FEW).filter(plan -> plan.runs().areHard());
  }

  private static Plan plan(String name) {
    return new Plans(MESSAGES, 7)
        .of(3).stream().filter(plan -> plan.name().equals(name)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("plans")
  @DisplayName("loses nothing, and stays within its bound")
  void holds(Plan plan) {
    Result result = new Simulation(plan, false).run();
    assertTrue(result.holds(), result::line);
    assertEquals(MESSAGES, result.messages());
  }

  @ParameterizedTest
  @MethodSource("hardPlans")
  @DisplayName("sends all in its order while requests are held for long, get lost, and relays end")
  void survives(Plan plan) {
    Result result = new Simulation(plan, false).run();
    assertTrue(result.holds(), result::line);
    assertEquals(FEW, result.messages());
  }

  @Test
  @DisplayName("comes to the same result again")
  void seeded() {
    Plan plan = plan("random");
    assertEquals(new Simulation(plan, false).run(), new Simulation(plan, false).run());
  }

  @Test
  @DisplayName("shows that the published algorithm sends a lost cluster's messages again")
  void published() {
    Plan plan = plan("no-relay");
    Result ours = new Simulation(plan, false).run();
    Result published = new Simulation(plan, true).run();
    assertTrue(ours.takeovers() > 100, ours::line);
    assertTrue(published.copies() > 10 * (ours.copies() + 1), published::line);
    assertEquals(0, published.lost());
  }

  @Test
  @DisplayName("fails a run whose copies exceed their bound, and one that lost a message")
  void fails() {
    Result sound = new Simulation(plan("quiet"), false).run();
    assertTrue(sound.holds(), sound::line);
    Plan plan = sound.plan();
    assertEquals(false, new Result(plan, MESSAGES, 0, 1, 0, 0, 0, 0, 0, 3, 1_000).holds());
    assertEquals(false, new Result(plan, MESSAGES, 1, 0, 0, 0, 0, 0, 0, 3, 1_000).holds());
    assertEquals(false, new Result(plan, MESSAGES, 0, 0, 0, 0, 1, 0, 0, 3, 1_000).holds());
    assertEquals(false, new Result(plan, MESSAGES, 0, 0, 0, 0, 0, 1, 0, 3, 1_000).holds());
    assertEquals(
        false, new Result(plan, MESSAGES, 0, 0, 0, 1, 0, 0, 0, 3, 1_000).holds(), "no trouble");
  }

  @ParameterizedTest
  @ValueSource(strings = {"functions-pause", "functions-pause-outage", "paused"})
  @DisplayName("fails a run that does not come to what it is for")
  void unreached(String name) {
    Plan plan = plan(name);
    long relays = plan.runs().areFunctions() ? 100 : 3;
    long gap = plan.maximumDelay() + 1;
    assertEquals(true, new Result(plan, MESSAGES, 0, 0, 0, 0, 0, 0, 0, relays, gap).holds());
    assertEquals(false, new Result(plan, MESSAGES, 0, 0, 0, 0, 0, 0, 0, relays, gap - 1).holds());
    boolean few = new Result(plan, MESSAGES, 0, 0, 0, 0, 0, 0, 0, 3, gap).holds();
    assertEquals(!plan.runs().areFunctions(), few);
  }

  @Test
  @DisplayName("refuses a run that there is not, and names those that there are")
  void unknown() {
    StringWriter said = new StringWriter();
    CommandLine command = new CommandLine(new ClustersCommand()).setErr(new PrintWriter(said));
    assertEquals(2, command.execute("--messages", "500", "--run", "quiet", "--run", "nosuch"));
    assertTrue(
        said.toString().contains("[quiet, nosuch]; there are [quiet, lost, "), said::toString);
  }
}
