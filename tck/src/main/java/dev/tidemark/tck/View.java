package dev.tidemark.tck;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The entity of the contracts. Backends map its properties by these names: {@code id} is the key
 * (with {@code sort} where it is composite), {@code status} and {@code note} strings, {@code total}
 * a whole number, {@code lines} a list of strings, {@code tags} a set of strings, {@code address} a
 * map of strings. Properties that are null are not stored. Mutable; for one thread.
 */
public final class View {
  private @Nullable String id;
  private @Nullable String sort;
  private @Nullable String status;
  private @Nullable String note;
  private @Nullable Long total;
  private @Nullable List<String> lines;
  private @Nullable Set<String> tags;
  private @Nullable Map<String, String> address;

  /** A view of nothing yet. */
  public View() {}

  /** {@return the key's first value} */
  public @Nullable String getId() {
    return id;
  }

  /**
   * Sets the key's first value.
   *
   * @param id the key's first value
   */
  public void setId(@Nullable String id) {
    this.id = id;
  }

  /** {@return the key's second value} */
  public @Nullable String getSort() {
    return sort;
  }

  /**
   * Sets the key's second value.
   *
   * @param sort the key's second value
   */
  public void setSort(@Nullable String sort) {
    this.sort = sort;
  }

  /** {@return a string} */
  public @Nullable String getStatus() {
    return status;
  }

  /**
   * Sets a string.
   *
   * @param status a string
   */
  public void setStatus(@Nullable String status) {
    this.status = status;
  }

  /** {@return a string} */
  public @Nullable String getNote() {
    return note;
  }

  /**
   * Sets a string.
   *
   * @param note a string
   */
  public void setNote(@Nullable String note) {
    this.note = note;
  }

  /** {@return a whole number} */
  public @Nullable Long getTotal() {
    return total;
  }

  /**
   * Sets a whole number.
   *
   * @param total a whole number
   */
  public void setTotal(@Nullable Long total) {
    this.total = total;
  }

  /** {@return a list} */
  public @Nullable List<String> getLines() {
    return lines;
  }

  /**
   * Sets a list.
   *
   * @param lines a list
   */
  public void setLines(@Nullable List<String> lines) {
    this.lines = lines;
  }

  /** {@return a set, not empty} */
  public @Nullable Set<String> getTags() {
    return tags;
  }

  /**
   * Sets a set, not empty.
   *
   * @param tags a set, not empty
   */
  public void setTags(@Nullable Set<String> tags) {
    this.tags = tags;
  }

  /** {@return a nested map} */
  public @Nullable Map<String, String> getAddress() {
    return address;
  }

  /**
   * Sets a nested map.
   *
   * @param address a nested map
   */
  public void setAddress(@Nullable Map<String, String> address) {
    this.address = address;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof View view
        && Objects.equals(id, view.id)
        && Objects.equals(sort, view.sort)
        && Objects.equals(status, view.status)
        && Objects.equals(note, view.note)
        && Objects.equals(total, view.total)
        && Objects.equals(lines, view.lines)
        && Objects.equals(tags, view.tags)
        && Objects.equals(address, view.address);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, sort, status, note, total, lines, tags, address);
  }

  /** Shows every property, the set in one order, so that equal views are shown alike. */
  @Override
  public String toString() {
    @Nullable Set<String> sorted = tags == null ? null : new TreeSet<>(tags);
    return "View[" + id + ", " + sort + ", " + status + ", " + note + ", " + total + ", " + lines
        + ", " + sorted + ", " + address + "]";
  }
}
