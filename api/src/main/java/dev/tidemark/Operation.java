package dev.tidemark;

import java.util.List;
import java.util.Set;

/**
 * One operation of a {@link Change} on one path: the language that backends render. Its text names
 * the path, never a value.
 */
public sealed interface Operation {
  /**
   * What it touches.
   *
   * @return the path
   */
  Path path();

  /**
   * Sets a value, whatever was there.
   *
   * @param path where
   * @param value the value
   */
  record Assign(Path path, Object value) implements Operation {
    @Override
    public String toString() {
      return "Assign[" + path + "]";
    }
  }

  /**
   * Sets a value where there is none.
   *
   * @param path where
   * @param value the value
   */
  record AssignIfAbsent(Path path, Object value) implements Operation {
    @Override
    public String toString() {
      return "AssignIfAbsent[" + path + "]";
    }
  }

  /**
   * Adds to a number; a missing one counts as 0.
   *
   * @param path where
   * @param amount what to add, may be negative
   */
  record Increase(Path path, Number amount) implements Operation {
    @Override
    public String toString() {
      return "Increase[" + path + "]";
    }
  }

  /**
   * Appends to a list; a missing one counts as empty.
   *
   * @param path where
   * @param elements at least one
   */
  record AppendAll(Path path, List<Object> elements) implements Operation {
    @Override
    public String toString() {
      return "AppendAll[" + path + "]";
    }
  }

  /**
   * Adds elements to a set; a missing one counts as empty.
   *
   * @param path where
   * @param elements at least one, all strings, all numbers or all bytes
   */
  record AddAll(Path path, Set<Object> elements) implements Operation {
    @Override
    public String toString() {
      return "AddAll[" + path + "]";
    }
  }

  /**
   * Removes elements from a set; a set that becomes empty is removed.
   *
   * @param path where
   * @param elements at least one, all strings, all numbers or all bytes
   */
  record RemoveAll(Path path, Set<Object> elements) implements Operation {
    @Override
    public String toString() {
      return "RemoveAll[" + path + "]";
    }
  }

  /**
   * Removes an attribute or a member; nothing happens where there is none.
   *
   * @param path where
   */
  record Remove(Path path) implements Operation {
    @Override
    public String toString() {
      return "Remove[" + path + "]";
    }
  }
}
