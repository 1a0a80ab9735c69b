package dev.tidemark.benchmarks.outgoing;

import java.util.List;

/** A store in which entities change and publish in several ways. */
public interface Ways extends AutoCloseable {
  /**
   * Its name.
   *
   * @return such as {@code mongodb}
   */
  String store();

  /**
   * The ways, on tables of their own.
   *
   * @return in the order of the table; the first sends no message
   */
  List<Way> all();

  /**
   * All that was sent so far.
   *
   * @return the sums
   */
  Bill bill();

  @Override
  void close();
}
