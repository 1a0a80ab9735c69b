package dev.tidemark.benchmarks.measure;

/**
 * How the messages of a round lie, and how many are handed over at once.
 *
 * @param entities how many entities a round has
 * @param messages how many messages each of them gets
 * @param depth how many consecutive messages of one entity are handed over together
 * @param breadth how many entities a hand-over spans
 */
public record Shape(int entities, int messages, int depth, int breadth) {
  /** One message at a time. */
  public static final Shape SINGLE = new Shape(160, 20, 1, 1);

  /**
   * Batches of messages of one entity.
   *
   * @param size how many, at most 50
   * @return the shape
   */
  public static Shape perEntity(int size) {
    return new Shape(64, 50, size, 1);
  }

  /**
   * Batches of some messages each of ten entities, as a poll brings them.
   *
   * @param size messages of each entity, at most 40
   * @return the shape
   */
  public static Shape perEntityOfTen(int size) {
    return new Shape(80, 40, size, 10);
  }

  /**
   * Batches of one message each for many entities.
   *
   * @param size how many
   * @return the shape
   */
  public static Shape acrossEntities(int size) {
    return new Shape(4 * size, 8, 1, size);
  }

  /**
   * All messages of a round.
   *
   * @return their number
   */
  public int total() {
    return entities * messages;
  }
}
