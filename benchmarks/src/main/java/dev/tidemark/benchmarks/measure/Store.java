package dev.tidemark.benchmarks.measure;

import java.util.List;

/** A store to measure on: its entities, its techniques, and what they cost. */
public interface Store extends AutoCloseable {
  /**
   * The store's name.
   *
   * @return as rows show it
   */
  String name();

  /**
   * What runs, for the head of a report.
   *
   * @return the server and its version
   */
  String server();

  /**
   * All techniques, those that are compared side by side.
   *
   * @return in the order of the report
   */
  List<Technique> techniques();

  /** Drops what earlier rounds left. */
  void reset();

  /**
   * Stores new entities, outside of what is timed.
   *
   * @param entities their keys
   */
  void create(List<String> entities);

  /**
   * What is stored of an entity's effects.
   *
   * @param entity its key
   * @return its total
   */
  long total(String entity);

  /**
   * What was sent and billed so far.
   *
   * @return the counters of all techniques
   */
  Meter meter();

  /**
   * The processor time that the store's process took so far.
   *
   * @return nanoseconds
   */
  long serverCpuNanos();

  @Override
  void close();
}
