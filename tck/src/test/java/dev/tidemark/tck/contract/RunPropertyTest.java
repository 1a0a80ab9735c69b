package dev.tidemark.tck.contract;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The kernel's run")
final class RunPropertyTest {
  @Test
  @DisplayName("does what its messages do one by one, whatever is lost, late, turned away or raced")
  void lives() {
    long seed = Sizes.seed();
    System.out.println("random runs: -Dtidemark.seed=" + seed);
    RunTrial.run(seed, Sizes.examples() / 4);
  }
}
