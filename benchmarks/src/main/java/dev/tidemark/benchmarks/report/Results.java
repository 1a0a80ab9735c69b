package dev.tidemark.benchmarks.report;

import dev.tidemark.benchmarks.measure.Round;
import dev.tidemark.benchmarks.stats.Estimate;
import dev.tidemark.benchmarks.stats.PairedRatio;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * All that one run measured: rows of techniques, and single numbers by name. For one thread.
 *
 * <p>Goals ask for what they need; what was not measured in this run is empty.
 */
public final class Results {
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Estimate> numbers = new LinkedHashMap<>();

  /**
   * Adds a row.
   *
   * @param row a technique's
   */
  public void add(Row row) {
    rows.add(row);
  }

  /**
   * Adds a number.
   *
   * @param name what goals call it
   * @param number the number
   */
  public void add(String name, Estimate number) {
    numbers.put(name, number);
  }

  /**
   * All rows.
   *
   * @return in the order in which they were added
   */
  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /**
   * One row.
   *
   * @param store the store's name
   * @param technique the technique's name
   * @return empty if it was not measured
   */
  public Optional<Row> row(String store, String technique) {
    return rows.stream()
        .filter(row -> row.store().equals(store) && row.technique().equals(technique))
        .findFirst();
  }

  /**
   * How a number of one technique compares with that of another.
   *
   * @param store the store's name
   * @param technique the one
   * @param other the other
   * @param number takes the number from a round
   * @return the ratio over paired rounds; empty if one was not measured
   */
  public Optional<Estimate> ratio(
      String store, String technique, String other, ToDoubleFunction<Round> number) {
    return row(store, technique)
        .flatMap(
            one ->
                row(store, other)
                    .map(two -> PairedRatio.of(one.numbers(number), two.numbers(number))));
  }

  /**
   * One number.
   *
   * @param name what goals call it
   * @return empty if it was not measured
   */
  public Optional<Estimate> number(String name) {
    return Optional.ofNullable(numbers.get(name));
  }
}
