package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.math.BigInteger;

/**
 * A place in an ordered source. Positions of one source are all numbers or all strings of one
 * width; an entity whose stored mark is of another kind or width than the message is refused with
 * {@link CorruptRecordException}, never compared.
 */
public sealed interface Position extends Comparable<Position> {

  /**
   * Orders positions of one source.
   *
   * @throws CorruptRecordException if the other is of another kind or width
   */
  @Override
  default int compareTo(Position other) {
    if (this instanceof Numeric left && other instanceof Numeric right) {
      return left.value().compareTo(right.value());
    }
    if (this instanceof Textual left && other instanceof Textual right && comparesTo(other)) {
      return left.value().compareTo(right.value());
    }
    throw new CorruptRecordException(
        "positions of one source differ in kind or width: " + kind() + " and " + other.kind(),
        null,
        null);
  }

  /**
   * Whether two positions can be of one source.
   *
   * @param other the other position
   * @return true for two numbers, and for two strings of one width
   */
  default boolean comparesTo(Position other) {
    return this instanceof Textual left
        ? other instanceof Textual right && left.value().length() == right.value().length()
        : other instanceof Numeric;
  }

  private String kind() {
    return this instanceof Textual fixed
        ? "a string of width " + fixed.value().length()
        : "a number";
  }

  /**
   * A position that is a number, such as a version or an offset.
   *
   * @param value any whole number
   * @return the position
   */
  static Position of(long value) {
    return new Numeric(BigInteger.valueOf(value));
  }

  /**
   * A position that is a number of up to 34 digits, which both stores compare exactly.
   *
   * @param value at most 34 digits
   * @return the position
   * @throws IllegalArgumentException if it has more digits
   */
  static Position of(BigInteger value) {
    return new Numeric(value);
  }

  /**
   * A position that is a string, ordered by its characters, such as a ULID or a number padded with
   * zeros. All positions of one source have the same length.
   *
   * @param value 1 to 128 printable ASCII characters
   * @return the position
   * @throws IllegalArgumentException if it is empty, longer, or has other characters
   */
  static Position ofText(String value) {
    return new Textual(value);
  }

  /**
   * A number of at most 34 digits.
   *
   * @param value the number
   */
  record Numeric(BigInteger value) implements Position {
    private static final BigInteger LIMIT = BigInteger.TEN.pow(34);

    /**
     * Checks the number of digits.
     *
     * @param value the number
     * @throws IllegalArgumentException if there are more than 34
     */
    public Numeric {
      if (value.abs().compareTo(LIMIT) >= 0) {
        throw new IllegalArgumentException(
            "position must have at most 34 digits, was a number of " + value.bitLength() + " bits");
      }
    }

    @Override
    public String toString() {
      return value.toString();
    }
  }

  /**
   * A string of a width that is the same for all positions of its source.
   *
   * @param value printable ASCII
   */
  record Textual(String value) implements Position {
    /**
     * Checks length and characters.
     *
     * @param value printable ASCII
     * @throws IllegalArgumentException if the value is not 1 to 128 printable ASCII characters
     */
    public Textual {
      boolean valid = value.length() >= 1 && value.length() <= 128;
      if (!valid || !value.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
        throw new IllegalArgumentException(
            "position must be 1 to 128 printable ASCII characters, was '"
                + Text.shown(value)
                + "'");
      }
    }

    @Override
    public String toString() {
      return Text.shown(value);
    }
  }
}
