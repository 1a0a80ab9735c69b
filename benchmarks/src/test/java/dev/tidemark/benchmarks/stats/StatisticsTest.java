package dev.tidemark.benchmarks.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Statistics of rounds")
final class StatisticsTest {
  @Test
  @DisplayName("the median is the middle, or the mean of the two in the middle")
  void median() {
    assertEquals(2, Sample.of(3, 1, 2).median());
    assertEquals(2.5, Sample.of(4, 1, 2, 3).median());
    assertThrows(IllegalArgumentException.class, () -> Sample.of());
  }

  @Test
  @DisplayName("a quantile is a number of the sample")
  void quantile() {
    Sample sample = Sample.of(5, 4, 3, 2, 1);
    assertEquals(3, sample.quantile(0.5));
    assertEquals(5, sample.quantile(0.99));
    assertEquals(1, sample.quantile(0));
  }

  @Test
  @DisplayName("a ratio of rounds that were equally disturbed is exact")
  void disturbedAlike() {
    Estimate ratio = PairedRatio.of(List.of(100.0, 50.0, 200.0), List.of(50.0, 25.0, 100.0));
    assertEquals(2, ratio.median(), 1e-9);
    assertEquals(2, ratio.low(), 1e-9);
    assertEquals(2, ratio.high(), 1e-9);
  }

  @Test
  @DisplayName("the interval is Student's t over the logarithms")
  void interval() {
    // logs 0 and 0.2: mean 0.1, standard error 0.1, one degree of freedom
    Estimate ratio = PairedRatio.of(List.of(1.0, Math.exp(0.2)), List.of(1.0, 1.0));
    assertEquals(Math.exp(0.1), ratio.median(), 1e-9);
    assertEquals(Math.exp(0.1 - 1.2706), ratio.low(), 1e-9);
    assertEquals(Math.exp(0.1 + 1.2706), ratio.high(), 1e-9);
    Estimate ofMore =
        PairedRatio.of(List.of(1.0, 1.1, 0.9, 1.0, 1.1), List.of(1.0, 1.0, 1.0, 1.0, 1.0));
    assertTrue(ofMore.low() < ofMore.median() && ofMore.median() < ofMore.high());
  }

  @Test
  @DisplayName("rounds that are not paired are refused")
  void unpaired() {
    assertThrows(
        IllegalArgumentException.class, () -> PairedRatio.of(List.of(1.0, 2.0), List.of(1.0)));
    assertThrows(IllegalArgumentException.class, () -> PairedRatio.of(List.of(1.0), List.of(1.0)));
  }
}
