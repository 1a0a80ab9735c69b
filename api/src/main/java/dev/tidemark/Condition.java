package dev.tidemark;

import java.util.ArrayList;
import java.util.List;

/**
 * What must be true of the stored entity for a change to be made: {@code
 * attribute("status").is("PLACED").and(attribute("total").lessThan(100))}. It means the same on
 * every store. A comparison is true only if the attribute is there and of the value's own kind; a
 * missing attribute makes it false, so {@code not()} of it true. {@code and()}, {@code or()} and
 * {@code not()} may stand inside each other 50 deep, which every store takes; deeper is an {@code
 * IllegalArgumentException} where it is made. A chain of the same one is not deeper than its parts.
 *
 * <p>It compares with what is stored. No comparison is true of an attribute that is encrypted
 * before the store sees it, unless equal values are encrypted to equal bytes; its {@code not()}
 * always is. Where the attribute's own converter or codec encrypts, and writes another form of a
 * value each time, such a condition is an {@code IllegalArgumentException} before anything is sent.
 * What encrypts behind the mapper, as an interceptor of a client or a driver's automatic encryption
 * does, is not seen: the outcome is {@link Outcome.Refused} each time. Decide in a function there
 * ({@link EntityStore#apply}), or compare a keyed hash that is stored beside the attribute.
 *
 * <p>Callers start at {@link #attribute(String)}; backends translate the records of this interface
 * into the store's language. The text of a condition names paths, never values. Code that treats
 * the kinds differently switches over {@link Joined#join} and {@link Test#operator}, so that a new
 * kind does not compile where it is not handled.
 */
public sealed interface Condition {

  /** What a test asks of an attribute. */
  enum Operator {
    /** Equal: numbers by value, so 1 equals 1.0. */
    EQUAL,
    /** Less than. */
    LESS,
    /** Less than or equal. */
    AT_MOST,
    /** Greater than. */
    GREATER,
    /** Greater than or equal. */
    AT_LEAST,
    /** There, as {@link Attribute#exists} says. */
    EXISTS,
    /** Equal to one of at least one scalar. */
    IN,
    /** A list or a set with that element. */
    CONTAINS,
    /** A list, a set or a string of fewer elements or characters. */
    SIZE_BELOW,
    /** There and of that {@link Kind}. */
    OF_KIND
  }

  /** The kind of a stored value, where a guard has to tell kinds apart. */
  enum Kind {
    /** A string. */
    STRING,
    /** A number. */
    NUMBER,
    /** Bytes. */
    BINARY,
    /** An explicit null; {@link Attribute#exists} says what the other conditions take it for. */
    NULL,
    /** A set of strings; on stores without sets, an array. */
    STRING_SET,
    /** A set of numbers; on stores without sets, an array. */
    NUMBER_SET,
    /** A set of binary values; on stores without sets, an array. */
    BINARY_SET,
    /** A list. */
    LIST
  }

  /** How conditions are joined. */
  enum Join {
    /** True if all are true; so is an empty list. */
    AND,
    /** True if one is true; an empty list is false. */
    OR,
    /** True if the only one is false. */
    NOT
  }

  /**
   * A condition on one attribute, which is false where that is missing.
   *
   * @param path where the attribute stands
   * @param operator what is asked
   * @param value a scalar; a list of scalars, a size or a {@link Kind} where the operator asks for
   *     one; true where it asks for nothing
   */
  record Test(Path path, Operator operator, Object value) implements Condition {
    /**
     * Checks the size of numbers.
     *
     * @param path where the attribute stands
     * @param operator what is asked
     * @param value what the operator needs
     */
    public Test {
      if (value instanceof List<?> values) {
        value = List.copyOf(values);
        values.forEach(one -> Values.bounded(path, one));
      }
      value = Values.bounded(path, value);
    }

    /**
     * What {@link Operator#IN} compares with.
     *
     * @return at least one scalar
     */
    @SuppressWarnings("unchecked")
    public List<Object> values() {
      return (List<Object>) value;
    }

    /**
     * The bound of {@link Operator#SIZE_BELOW}.
     *
     * @return 1 or more
     */
    public int size() {
      return (Integer) value;
    }

    /**
     * What {@link Operator#OF_KIND} asks for.
     *
     * @return the kind
     */
    public Kind kind() {
      return (Kind) value;
    }

    @Override
    public String toString() {
      return operator + "[" + path + "]";
    }
  }

  /**
   * Conditions that are joined.
   *
   * @param join how
   * @param parts one of {@link Join#NOT}, else any number
   */
  record Joined(Join join, List<Condition> parts) implements Condition {
    /**
     * Copies the list.
     *
     * @param join how
     * @param parts the conditions
     * @throws IllegalArgumentException if they are nested too deep
     */
    public Joined {
      parts = List.copyOf(parts);
      Nesting.require(parts);
    }

    /**
     * What {@link Join#NOT} negates.
     *
     * @return the only part
     */
    public Condition part() {
      return parts.get(0);
    }
  }

  /**
   * Starts a condition on an attribute.
   *
   * @param path its name; dots lead into nested maps
   * @return the attribute, to be compared
   */
  static Attribute attribute(String path) {
    return new Attribute(Path.parse(path));
  }

  /**
   * Starts a condition on an attribute whose name may have dots in it.
   *
   * @param path where it stands
   * @return the attribute, to be compared
   */
  static Attribute attribute(Path path) {
    return new Attribute(path);
  }

  /**
   * True for every entity.
   *
   * @return a condition without a test
   */
  static Condition always() {
    return new Joined(Join.AND, List.of());
  }

  /**
   * True for no entity.
   *
   * @return a condition without a test
   */
  static Condition never() {
    return new Joined(Join.OR, List.of());
  }

  /**
   * Joins this condition with another; the result is true if both are true.
   *
   * @param other the other condition
   * @return true if this and the other are true
   */
  default Condition and(Condition other) {
    return joined(Join.AND, other);
  }

  /**
   * Joins this condition with another; the result is true if at least one is true.
   *
   * @param other the other condition
   * @return true if this or the other is true
   */
  default Condition or(Condition other) {
    return joined(Join.OR, other);
  }

  /**
   * Negates this condition.
   *
   * @return true if this is false, also where that is because the attribute is missing
   */
  default Condition not() {
    return new Joined(Join.NOT, List.of(this));
  }

  private Condition joined(Join join, Condition other) {
    List<Condition> parts = new ArrayList<>(parts(join, this));
    parts.addAll(parts(join, other));
    return new Joined(join, parts);
  }

  private static List<Condition> parts(Join join, Condition of) {
    return of instanceof Joined joined && joined.join() == join ? joined.parts() : List.of(of);
  }
}
