package dev.tidemark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of the stored entity for a change to be made: {@code
 * attribute("status").is("PLACED").and(attribute("total").lessThan(100))}. It means the same on
 * every store. A comparison is true only if the attribute is there and of the value's own kind; a
 * missing attribute makes it false, so {@code not()} of it true. {@code and()}, {@code or()} and
 * {@code not()} may stand inside each other 50 deep, which every store takes; deeper is an {@code
 * IllegalArgumentException} where it is made. A chain of the same one is not deeper than its parts.
 *
 * <p>The records are the language that backends render; callers start at {@link
 * #attribute(String)}. Their text names paths, never values. Whoever treats the kinds apart asks
 * {@link #match} and {@link Test#match(Tests)}, so that a new kind does not compile where it is not
 * handled.
 */
public sealed interface Condition {

  /** How two values are compared. */
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
    AT_LEAST
  }

  /** The kind of a stored value, where a guard has to tell kinds apart. */
  enum Kind {
    /** A string. */
    STRING,
    /** A number. */
    NUMBER,
    /** Bytes. */
    BINARY,
    /** An explicit null, which the other conditions take for something that is there. */
    NULL,
    /** A set of strings; on stores without sets, an array. */
    STRING_SET,
    /** A set of numbers; on stores without sets, an array. */
    NUMBER_SET,
    /** A set of binary values; on stores without sets, an array. */
    BINARY_SET
  }

  /**
   * Calls the function for this kind.
   *
   * @param <R> what the functions return
   * @param cases one function for each kind
   * @return what the function returned
   */
  <R extends @Nullable Object> R match(Cases<R> cases);

  /**
   * One function for each way to build a condition.
   *
   * @param <R> what the functions return
   * @param and for {@link And}
   * @param or for {@link Or}
   * @param not for {@link Not}
   * @param test for each {@link Test}
   */
  record Cases<R extends @Nullable Object>(
      Function<? super And, ? extends R> and,
      Function<? super Or, ? extends R> or,
      Function<? super Not, ? extends R> not,
      Function<? super Test, ? extends R> test) {}

  /** A condition on one attribute. */
  sealed interface Test extends Condition {
    /**
     * Where the attribute stands.
     *
     * @return the path
     */
    Path path();

    /**
     * Calls the function for this kind.
     *
     * @param <R> what the functions return
     * @param tests one function for each kind
     * @return what the function returned
     */
    <R extends @Nullable Object> R match(Tests<R> tests);

    @Override
    default <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.test().apply(this);
    }
  }

  /**
   * One function for each kind of test.
   *
   * @param <R> what the functions return
   * @param compare for {@link Compare}
   * @param exists for {@link Exists}
   * @param in for {@link In}
   * @param contains for {@link Contains}
   * @param sizeBelow for {@link SizeBelow}
   * @param ofKind for {@link OfKind}
   */
  record Tests<R extends @Nullable Object>(
      Function<? super Compare, ? extends R> compare,
      Function<? super Exists, ? extends R> exists,
      Function<? super In, ? extends R> in,
      Function<? super Contains, ? extends R> contains,
      Function<? super SizeBelow, ? extends R> sizeBelow,
      Function<? super OfKind, ? extends R> ofKind) {}

  /**
   * True if the attribute is there, of the value's kind, and compares so.
   *
   * @param path where it stands
   * @param operator how to compare
   * @param value a scalar
   */
  record Compare(Path path, Operator operator, Object value) implements Test {
    /**
     * Checks the size of a number.
     *
     * @param path where it stands
     * @param operator how to compare
     * @param value a scalar
     */
    public Compare {
      value = Values.bounded(path, value);
    }

    @Override
    public <R extends @Nullable Object> R match(Tests<R> tests) {
      return tests.compare().apply(this);
    }

    @Override
    public String toString() {
      return "Compare[" + path + ", " + operator + "]";
    }
  }

  /**
   * True if the attribute is there, whatever its value.
   *
   * @param path where it stands
   */
  record Exists(Path path) implements Test {
    @Override
    public <R extends @Nullable Object> R match(Tests<R> tests) {
      return tests.exists().apply(this);
    }
  }

  /**
   * True if the attribute equals one of the values.
   *
   * @param path where it stands
   * @param values at least one scalar
   */
  record In(Path path, List<Object> values) implements Test {
    /**
     * Copies the values.
     *
     * @param path where it stands
     * @param values at least one scalar
     */
    public In {
      values = List.copyOf(values);
      values.forEach(value -> Values.bounded(path, value));
    }

    @Override
    public <R extends @Nullable Object> R match(Tests<R> tests) {
      return tests.in().apply(this);
    }

    @Override
    public String toString() {
      return "In[" + path + ", " + values.size() + " values]";
    }
  }

  /**
   * True if the attribute is a list or a set with that element.
   *
   * @param path where it stands
   * @param value a scalar
   */
  record Contains(Path path, Object value) implements Test {
    /**
     * Checks the size of a number.
     *
     * @param path where it stands
     * @param value a scalar
     */
    public Contains {
      value = Values.bounded(path, value);
    }

    @Override
    public <R extends @Nullable Object> R match(Tests<R> tests) {
      return tests.contains().apply(this);
    }

    @Override
    public String toString() {
      return "Contains[" + path + "]";
    }
  }

  /**
   * True if the attribute is a list, a set or a string of fewer elements or characters.
   *
   * @param path where it stands
   * @param size 1 or more
   */
  record SizeBelow(Path path, int size) implements Test {
    @Override
    public <R extends @Nullable Object> R match(Tests<R> tests) {
      return tests.sizeBelow().apply(this);
    }
  }

  /**
   * True if the attribute is there and of that kind.
   *
   * @param path where it stands
   * @param kind the kind
   */
  record OfKind(Path path, Kind kind) implements Test {
    @Override
    public <R extends @Nullable Object> R match(Tests<R> tests) {
      return tests.ofKind().apply(this);
    }
  }

  /**
   * True if all are true; so is an empty list.
   *
   * @param all the conditions
   */
  record And(List<Condition> all) implements Condition {
    /**
     * Copies the list.
     *
     * @param all the conditions
     * @throws IllegalArgumentException if they are nested too deep
     */
    public And {
      all = List.copyOf(all);
      Nesting.require(all);
    }

    @Override
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.and().apply(this);
    }
  }

  /**
   * True if one is true; an empty list is false.
   *
   * @param any the conditions
   */
  record Or(List<Condition> any) implements Condition {
    /**
     * Copies the list.
     *
     * @param any the conditions
     * @throws IllegalArgumentException if they are nested too deep
     */
    public Or {
      any = List.copyOf(any);
      Nesting.require(any);
    }

    @Override
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.or().apply(this);
    }
  }

  /**
   * True if the other is false.
   *
   * @param condition the other
   */
  record Not(Condition condition) implements Condition {
    /**
     * Checks how deep the other is nested.
     *
     * @param condition the other
     * @throws IllegalArgumentException if it is nested too deep
     */
    public Not {
      Nesting.require(List.of(condition));
    }

    @Override
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.not().apply(this);
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
    return new And(List.of());
  }

  /**
   * Both.
   *
   * @param other the other condition
   * @return true if this and the other are true
   */
  default Condition and(Condition other) {
    List<Condition> all = new ArrayList<>(this instanceof And and ? and.all() : List.of(this));
    all.addAll(other instanceof And and ? and.all() : List.of(other));
    return new And(all);
  }

  /**
   * Either.
   *
   * @param other the other condition
   * @return true if this or the other is true
   */
  default Condition or(Condition other) {
    List<Condition> any = new ArrayList<>(this instanceof Or or ? or.any() : List.of(this));
    any.addAll(other instanceof Or or ? or.any() : List.of(other));
    return new Or(any);
  }

  /**
   * The opposite.
   *
   * @return true if this is false, also where that is because the attribute is missing
   */
  default Condition not() {
    return new Not(this);
  }
}
