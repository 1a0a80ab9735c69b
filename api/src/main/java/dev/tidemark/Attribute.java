package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.util.Arrays;
import java.util.List;

/**
 * The start of a {@link Condition} on one attribute of an entity. Values are scalars: strings,
 * numbers, booleans, bytes, or what the store's mapper converts to one of them. A condition of
 * order on what a store keeps in a form that does not sort as the values do is an {@code
 * IllegalArgumentException} there, before anything is written.
 *
 * @param path where it stands
 */
public record Attribute(Path path) {

  /**
   * Equal to a value; numbers by value.
   *
   * @param value a scalar
   * @return the condition
   */
  public Condition is(Object value) {
    return compare(Condition.Operator.EQUAL, value);
  }

  /**
   * Not equal to a value; true also where the attribute is missing.
   *
   * @param value a scalar
   * @return the condition
   */
  public Condition isNot(Object value) {
    return is(value).not();
  }

  /**
   * Less than a value.
   *
   * @param value a string, number or bytes
   * @return the condition
   */
  public Condition lessThan(Object value) {
    return compare(Condition.Operator.LESS, value);
  }

  /**
   * Less than or equal to a value.
   *
   * @param value a string, number or bytes
   * @return the condition
   */
  public Condition atMost(Object value) {
    return compare(Condition.Operator.AT_MOST, value);
  }

  /**
   * Greater than a value.
   *
   * @param value a string, number or bytes
   * @return the condition
   */
  public Condition greaterThan(Object value) {
    return compare(Condition.Operator.GREATER, value);
  }

  /**
   * Greater than or equal to a value.
   *
   * @param value a string, number or bytes
   * @return the condition
   */
  public Condition atLeast(Object value) {
    return compare(Condition.Operator.AT_LEAST, value);
  }

  /**
   * True if the attribute exists, whatever its value. On DynamoDB a stored NULL counts as missing;
   * on MongoDB a null is a value.
   *
   * @return the condition
   */
  public Condition exists() {
    return test(Condition.Operator.EXISTS, true);
  }

  /**
   * Not there.
   *
   * @return the condition
   */
  public Condition isMissing() {
    return exists().not();
  }

  /**
   * Equal to one of some values.
   *
   * @param values at least one scalar
   * @return the condition
   * @throws IllegalArgumentException if there is no value
   */
  public Condition in(Object... values) {
    if (Text.given("values of in() of attribute '" + path + "'", values).length == 0) {
      throw new IllegalArgumentException("in() of attribute '" + path + "' needs a value");
    }
    List<Object> checked = Arrays.stream(values).map(v -> Values.scalar(path, v)).toList();
    return test(Condition.Operator.IN, checked);
  }

  /**
   * True if the attribute is a list or set that has the element. A string does not contain its
   * substrings.
   *
   * @param element a scalar
   * @return the condition
   */
  public Condition contains(Object element) {
    return compare(Condition.Operator.CONTAINS, element);
  }

  /**
   * A list or set with fewer elements, or a string with fewer characters; not for strings beyond
   * ASCII, whose characters stores count differently.
   *
   * @param size 1 or more
   * @return the condition
   */
  public Condition sizeBelow(int size) {
    if (size < 1) {
      throw new IllegalArgumentException(
          "size of attribute '" + path + "' must be 1 or more, was " + size);
    }
    return test(Condition.Operator.SIZE_BELOW, size);
  }

  private Condition compare(Condition.Operator operator, Object value) {
    return test(operator, Values.scalar(path, value));
  }

  private Condition test(Condition.Operator operator, Object value) {
    return new Condition.Test(path, operator, value);
  }
}
