package dev.tidemark;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a {@link Change} on one path: the language that backends render. Its text names
 * the path, never a value. Whoever treats the kinds apart asks {@link #match}, so that a new kind
 * does not compile where it is not handled.
 */
public sealed interface Operation {
  /**
   * What it touches.
   *
   * @return the path
   */
  Path path();

  /**
   * Calls the function for this kind.
   *
   * @param <R> what the functions return
   * @param cases one function for each kind
   * @return what the function returned
   */
  <R extends @Nullable Object> R match(Cases<R> cases);

  /**
   * One function for each kind of operation.
   *
   * @param <R> what the functions return
   * @param assign for {@link Assign}
   * @param assignIfAbsent for {@link AssignIfAbsent}
   * @param increase for {@link Increase}
   * @param appendAll for {@link AppendAll}
   * @param addAll for {@link AddAll}
   * @param removeAll for {@link RemoveAll}
   * @param remove for {@link Remove}
   */
  record Cases<R extends @Nullable Object>(
      Function<? super Assign, ? extends R> assign,
      Function<? super AssignIfAbsent, ? extends R> assignIfAbsent,
      Function<? super Increase, ? extends R> increase,
      Function<? super AppendAll, ? extends R> appendAll,
      Function<? super AddAll, ? extends R> addAll,
      Function<? super RemoveAll, ? extends R> removeAll,
      Function<? super Remove, ? extends R> remove) {}

  /**
   * Sets a value, whatever was there.
   *
   * @param path where
   * @param value the value
   */
  record Assign(Path path, Object value) implements Operation {
    @Override
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.assign().apply(this);
    }

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
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.assignIfAbsent().apply(this);
    }

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
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.increase().apply(this);
    }

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
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.appendAll().apply(this);
    }

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
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.addAll().apply(this);
    }

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
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.removeAll().apply(this);
    }

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
    public <R extends @Nullable Object> R match(Cases<R> cases) {
      return cases.remove().apply(this);
    }

    @Override
    public String toString() {
      return "Remove[" + path + "]";
    }
  }
}
