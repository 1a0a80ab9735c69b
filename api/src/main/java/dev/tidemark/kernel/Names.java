package dev.tidemark.kernel;

import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The names of the attributes in which tracking keeps marks and its other data. A name is the same
 * flat string on every store, {@code events.Order.4711}; a store with nested documents keeps those
 * of sources nested along the dots. Types, ids and subscribers are encoded so that they can neither
 * collide nor lead elsewhere: {@code . $ % @ #} and control characters as percent and two hex
 * digits, the empty string as a lone percent.
 */
public final class Names {
  /** How many closed slots of message IDs there are beside the open one. */
  public static final int CLOSED_SLOTS = 2;

  private static final Pattern ENCODED = Pattern.compile("[\\x00-\\x1F\\x7F.$%@#]");

  /** The parts of a source's mark. */
  public enum Part {
    /** The highest position that was applied; true where the mark is in the other parts. */
    MARK(""),
    /** The position up to which all was applied, or the highest that was. */
    FLOOR("#floor"),
    /** Positions above the floor that were applied. */
    SEEN("#seen"),
    /** The position up to which seen or not cannot be told. */
    HORIZON("#horizon"),
    /** The source's generation, if not 0. */
    GENERATION("#generation");

    private final String suffix;

    Part(String suffix) {
      this.suffix = suffix;
    }
  }

  private final AttributeNames names;
  private final String full;
  private final String ids;
  private final String events;
  private final boolean nested;
  private final Names flat;

  /** The paths of names that are the same for every message. */
  private final Map<String, Path> paths = new HashMap<>();

  private Names(Tracking tracking, boolean nested) {
    this.names = tracking.names();
    String as = tracking.subscriber().isEmpty() ? "" : "@" + encode(tracking.subscriber());
    this.full = as.isEmpty() ? "@" : as;
    this.ids = names.messageIds() + as;
    this.events = names.events() + as;
    this.nested = nested;
    this.flat = nested ? flat(tracking) : this;
    IntStream.rangeClosed(0, CLOSED_SLOTS).mapToObj(this::ids).forEach(this::keepPath);
    Stream.of(since(), closed(), revision(), birth(), tombstone()).forEach(this::keepPath);
    Stream.of(outbox(), outboxShard(), outboxDue()).forEach(this::keepPath);
  }

  private void keepPath(String flatName) {
    paths.put(flatName, newPath(flatName));
  }

  /**
   * Names of a store that keeps every mark in an attribute of its own.
   *
   * @param tracking names and subscriber
   * @return the names
   */
  public static Names flat(Tracking tracking) {
    return new Names(tracking, false);
  }

  /**
   * Names of a store that keeps the marks of sources in nested documents.
   *
   * @param tracking names and subscriber
   * @return the names
   */
  public static Names nested(Tracking tracking) {
    return new Names(tracking, true);
  }

  /** The same names, every mark in an attribute of its own. */
  Names flat() {
    return flat;
  }

  /**
   * Encodes a type, id or subscriber.
   *
   * @param raw any well-formed string
   * @return without {@code . $ @ #} and control characters; never empty
   */
  public static String encode(String raw) {
    if (raw.isEmpty()) {
      return "%";
    }
    return isPlain(raw)
        ? raw
        : ENCODED.matcher(raw).replaceAll(c -> "%%%02X".formatted((int) c.group().charAt(0)));
  }

  private static boolean isPlain(String raw) {
    for (int i = 0; i < raw.length(); i++) {
      if (isEncoded(raw.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEncoded(int c) {
    return c < 0x20 || c == 0x7F || ".$%@#".indexOf(c) >= 0;
  }

  /**
   * The flat name of a slot of message IDs.
   *
   * @param slot 0 for the open one, 1 to {@value #CLOSED_SLOTS} for the closed ones
   * @return the name
   */
  public String ids(int slot) {
    return slot == 0 ? ids : ids + "#" + slot;
  }

  /**
   * The flat name of the time at which the open slot was opened.
   *
   * @return the name of a number of milliseconds
   */
  public String since() {
    return ids + "#since";
  }

  /**
   * The flat name of the times at which the closed slots were closed.
   *
   * @return the name of a list of milliseconds, 0 for an empty slot
   */
  public String closed() {
    return ids + "#closed";
  }

  /**
   * The flat name of a part of a source's mark.
   *
   * @param source the source
   * @param part the part
   * @return the name
   */
  public String mark(Source source, Part part) {
    return events + "." + encode(source.type()) + "." + encode(source.id()) + part.suffix;
  }

  /** Where that name is stored. */
  Path path(Source source, Part part) {
    return nested
        ? Path.of(events, encode(source.type()), encode(source.id()) + part.suffix)
        : Path.of(mark(source, part));
  }

  /**
   * The flat names of all parts of a source's mark.
   *
   * @param source the source
   * @return one for each part
   */
  public List<String> marks(Source source) {
    return Arrays.stream(Part.values()).map(part -> mark(source, part)).toList();
  }

  /** How a {@link Revision} names this subscriber where its sources have to be counted. */
  String full() {
    return full;
  }

  /**
   * The name of the revision.
   *
   * @return the name
   */
  public String revision() {
    return names.revision();
  }

  /**
   * The name of the write that created the entity.
   *
   * @return the name
   */
  public String birth() {
    return names.birth();
  }

  /**
   * The name of the expiry that only deleted entities have.
   *
   * @return the name of a number of seconds
   */
  public String tombstone() {
    return names.tombstone();
  }

  /**
   * The name of the messages that wait to be sent.
   *
   * @return the name of a list
   */
  public String outbox() {
    return names.outbox();
  }

  /**
   * The name of the messages that are parked.
   *
   * @return the name of a list
   */
  public String outboxParked() {
    return names.outbox() + "#parked";
  }

  /**
   * The attributes that have outgoing messages.
   *
   * @return those that wait to be sent, and those that are parked
   */
  public List<String> waiting() {
    return List.of(outbox(), outboxParked());
  }

  /**
   * The name of the shard of the index of waiting messages.
   *
   * @return the name of a number: the shard while something waits, -1 less the shard while messages
   *     are parked and none waits
   */
  public String outboxShard() {
    return names.outbox() + "#shard";
  }

  /**
   * The name of the time from which on waiting messages are to be sent.
   *
   * @return the name of a number of milliseconds
   */
  public String outboxDue() {
    return names.outbox() + "#due";
  }

  /**
   * The name of how often the first of the waiting messages could not be sent.
   *
   * @return the name of a number
   */
  public String outboxTries() {
    return names.outbox() + "#tries";
  }

  /**
   * Where a name is stored.
   *
   * @param flatName a name that one of the other methods gave
   * @return its path in the entity
   */
  public Path path(String flatName) {
    Path kept = paths.get(flatName);
    return kept != null ? kept : newPath(flatName);
  }

  private Path newPath(String flatName) {
    return nested && isMark(flatName)
        ? new Path(List.of(flatName.split("\\.", -1)))
        : Path.of(flatName);
  }

  /**
   * Whether a flat name is that of a part of any source's mark, of any subscriber.
   *
   * @param flatName a name
   * @return true if it has a type and an id
   */
  public boolean isMark(String flatName) {
    String base = names.events();
    return flatName.length() > base.length()
        && flatName.startsWith(base)
        && ".@".indexOf(flatName.charAt(base.length())) >= 0
        && flatName.indexOf('.') > 0;
  }

  /**
   * Whether an attribute of the entity is tracking's own, for any subscriber.
   *
   * @param attribute the name of a top-level attribute
   * @return true if neither a change nor a mapper may use it
   */
  public boolean owns(String attribute) {
    return attribute.equals(names.revision())
        || attribute.equals(names.birth())
        || attribute.equals(names.tombstone())
        || ownedUnder(names.messageIds(), attribute)
        || ownedUnder(names.events(), attribute)
        || ownedUnder(names.outbox(), attribute);
  }

  private static boolean ownedUnder(String base, String attribute) {
    return attribute.startsWith(base)
        && (attribute.length() == base.length()
            || "@#.".indexOf(attribute.charAt(base.length())) >= 0);
  }

  /**
   * How many sources have a mark under this subscriber.
   *
   * @param attributes flat names
   * @return the number of sources
   */
  public int countSources(Set<String> attributes) {
    String marks = events + ".";
    return (int)
        attributes.stream().filter(name -> name.startsWith(marks) && name.indexOf('#') < 0).count();
  }
}
