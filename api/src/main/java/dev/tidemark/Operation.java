package dev.tidemark;

import java.util.Collection;
import java.util.List;

/**
 * One operation of a {@link Change} on one path: the language that backends render. Its text names
 * the path, never a value. Whoever treats the kinds apart switches over {@link #kind}, so that a
 * new kind does not compile where it is not handled.
 *
 * @param kind what it does
 * @param path what it touches
 * @param value what it gives: a value, an amount, or at least one element; of {@link Kind#REMOVE}
 *     an empty list
 * @param createsParents whether maps are made where the path leads through nothing
 */
public record Operation(Kind kind, Path path, Object value, boolean createsParents) {
  /**
   * An operation whose parents must exist.
   *
   * @param kind what it does
   * @param path what it touches
   * @param value what it gives
   */
  public Operation(Kind kind, Path path, Object value) {
    this(kind, path, value, false);
  }

  /** What an operation does. */
  public enum Kind {
    /** Sets a value, whatever was there. */
    ASSIGN,
    /** Sets a value where there is none. */
    ASSIGN_IF_ABSENT,
    /** Adds an amount to a number, which may be negative; a missing number counts as 0. */
    INCREASE,
    /** Appends elements to a list; a missing one counts as empty. */
    APPEND_ALL,
    /** Adds elements of one kind to a set; a missing one counts as empty. */
    ADD_ALL,
    /** Removes elements of one kind from a set; a set that becomes empty is removed. */
    REMOVE_ALL,
    /** Removes an attribute or a member; nothing happens where there is none. */
    REMOVE
  }

  /**
   * Sets a value, whatever was there.
   *
   * @param path where
   * @param value the value
   * @return the operation
   */
  public static Operation assign(Path path, Object value) {
    return new Operation(Kind.ASSIGN, path, value);
  }

  /**
   * Sets a value where there is none.
   *
   * @param path where
   * @param value the value
   * @return the operation
   */
  public static Operation assignIfAbsent(Path path, Object value) {
    return new Operation(Kind.ASSIGN_IF_ABSENT, path, value);
  }

  /**
   * Removes an attribute or a member.
   *
   * @param path where
   * @return the operation
   */
  public static Operation remove(Path path) {
    return new Operation(Kind.REMOVE, path, List.of());
  }

  /**
   * The same kind of operation with another value.
   *
   * @param other what it gives
   * @return the operation
   */
  public Operation with(Object other) {
    return new Operation(kind, path, other, createsParents);
  }

  /**
   * The same operation, with maps made where its path leads through nothing.
   *
   * @return the operation
   */
  public Operation creatingParents() {
    return new Operation(kind, path, value, true);
  }

  /**
   * What an {@link Kind#INCREASE} adds.
   *
   * @return the value
   */
  public Number amount() {
    return (Number) value;
  }

  /**
   * What an {@link Kind#APPEND_ALL}, {@link Kind#ADD_ALL} or {@link Kind#REMOVE_ALL} gives.
   *
   * @return a list to append, else a set
   */
  @SuppressWarnings("unchecked")
  public Collection<Object> elements() {
    return (Collection<Object>) value;
  }

  /**
   * All that it gives.
   *
   * @return its elements, else its one value
   */
  public Collection<?> given() {
    boolean one = kind == Kind.ASSIGN || kind == Kind.ASSIGN_IF_ABSENT || kind == Kind.INCREASE;
    return one ? List.of(value) : elements();
  }

  @Override
  public String toString() {
    return kind + "[" + path + "]";
  }
}
