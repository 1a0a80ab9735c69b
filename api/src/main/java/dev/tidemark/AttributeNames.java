package dev.tidemark;

import java.util.stream.Stream;

/**
 * The names under which an entity's marks and the library's bookkeeping are stored. All entities of
 * one table or collection use the same names for all time.
 *
 * @param messageIds message IDs, of which there are slots
 * @param events marks of sources; {@code events} by default
 * @param revision a value that each tracked write makes new; {@code _rev} by default
 * @param birth which write created the entity, where one that may create has to tell; {@code _born}
 *     by default
 * @param tombstone when a deleted entity may be collected, on deleted entities only: the TTL
 *     attribute; {@code deletedUntil} by default
 */
public record AttributeNames(
    String messageIds, String events, String revision, String birth, String tombstone) {

  /**
   * Checks the names.
   *
   * @param messageIds message IDs, of which there are slots
   * @param events marks of sources; {@code events} by default
   * @param revision a value that each tracked write makes new; {@code _rev} by default
   * @param birth which write created the entity, where one that may create has to tell; {@code
   *     _born} by default
   * @param tombstone when a deleted entity may be collected, on deleted entities only: the TTL
   *     attribute; {@code deletedUntil} by default
   * @throws IllegalArgumentException if one is empty, has a dot, dollar, percent, at or hash sign
   *     or a control character, or if two are equal
   */
  public AttributeNames {
    Stream.of(messageIds, events, revision, birth, tombstone).forEach(AttributeNames::check);
    if (Stream.of(messageIds, events, revision, birth, tombstone).distinct().count() < 5) {
      throw new IllegalArgumentException("attribute names of tracking must differ");
    }
  }

  private static void check(String name) {
    Text.notEmpty("attribute name of tracking", name);
    if (name.chars().anyMatch(c -> c < 0x20 || ".$%@#".indexOf(c) >= 0)) {
      throw new IllegalArgumentException(
          "attribute name of tracking must not have any of . $ % @ #, was '"
              + Text.shown(name)
              + "'");
    }
  }

  /**
   * The names that storage-format.md shows.
   *
   * @return the usual names
   */
  public static AttributeNames defaults() {
    return new AttributeNames("messageIDs", "events", "_rev", "_born", "deletedUntil");
  }
}
