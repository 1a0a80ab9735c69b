package dev.tidemark.execution;

import static dev.tidemark.execution.ExecutionRecord.ASKED;
import static dev.tidemark.execution.Ledger.bytes;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Ids;
import dev.tidemark.kernel.RecordWrites;
import dev.tidemark.kernel.TypedRecords;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values that the record of a key cannot hold: compressed, or in records of their own, which live
 * as long as what names them.
 */
final class Parts {
  /** From this length on, a value is compressed. */
  private static final int LONG = 4_096;

  private static final String ELSEWHERE = "parts:";

  /** So few bytes stay where they are, as a name of parts takes hardly less. */
  private static final int SHORT = 64;

  /** How long parts stay at least that nothing may need any more, in seconds. */
  private static final long MONTH = Duration.ofDays(30).toSeconds();

  private final RecordWrites<ExecutionRecord> writes;
  private final TypedRecords<ExecutionRecord> records;
  private final String key;
  private final int most;

  Parts(
      RecordWrites<ExecutionRecord> writes,
      TypedRecords<ExecutionRecord> records,
      String key,
      int most) {
    this.writes = writes;
    this.records = records;
    this.key = key;
    this.most = most;
  }

  /**
   * A value in the form that fits: as it is, compressed, or in records of its own, which are
   * written before the one that names them.
   *
   * @param expires when those may be forgotten
   */
  Stored fit(Stored value, ExecutionRecord by, int room, long expires) {
    String json = value.json();
    if (json == null || (json.length() < LONG && bytes(json) <= Math.max(SHORT, room))) {
      return value;
    }
    String packed = Packed.pack(json);
    String shorter = packed.length() < json.length() ? packed : json;
    return bytes(shorter) <= room
        ? new Stored(value.type(), shorter)
        : elsewhere(value, by, expires);
  }

  private Stored elsewhere(Stored value, ExecutionRecord by, long expires) {
    String packed = Packed.pack(Objects.requireNonNull(value.json()));
    return new Stored(value.type(), ELSEWHERE + scatter(packed, by, expires));
  }

  /** Writes a text as records of its own: the revision that they are named by, and their number. */
  private String scatter(String text, ExecutionRecord by, long expires) {
    int size = records.mostBytes() - 1_000;
    int parts = (text.length() + size - 1) / size;
    String id = id(expires).toString();
    for (int i = 0; i < parts; i++) {
      String part = text.substring(i * size, Math.min(text.length(), (i + 1) * size));
      ExecutionRecord record = part(by, id + "." + i, part, expires);
      ExecutionRecord unused = writes.write(partKey(id, i), null, record);
    }
    return parts + ":" + id;
  }

  /** A new name of parts, which tells when they may be forgotten. */
  private static UUID id(long expires) {
    UUID random = UUID.randomUUID();
    return Ids.uuid(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(expires << 16 | random.getMostSignificantBits() >>> 48)
            .putLong(random.getLeastSignificantBits())
            .array());
  }

  /** When parts may be forgotten; 0 where their name, of an earlier version, does not tell. */
  private static long expires(String id) {
    try {
      UUID uuid = UUID.fromString(id);
      return uuid.version() == 8 ? uuid.getMostSignificantBits() >>> 16 : 0;
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  /**
   * A record whose results, and those of its steps, are not forgotten before it: parts that would
   * be are written again, before the record that names them.
   *
   * @param until when those may be forgotten
   */
  ExecutionRecord lasting(ExecutionRecord record, long until) {
    Map<String, Point> points = new LinkedHashMap<>(record.points());
    points.replaceAll(
        (name, point) -> new Point(point.done(), lasting(point.value(), record, until)));
    return record.with(points, lasting(record.result(), record, until));
  }

  private @Nullable Stored lasting(@Nullable Stored value, ExecutionRecord record, long until) {
    String place = place(value);
    if (value == null
        || place == null
        || expires(place.substring(place.indexOf(':') + 1)) >= record.lasts()) {
      return value;
    }
    try {
      return new Stored(value.type(), ELSEWHERE + scatter(gathered(place), record, until));
    } catch (CorruptRecordException e) {
      return value; // whoever reads the result tells
    }
  }

  /**
   * A record that fits, as far as the results of its steps can go into records of their own: the
   * longest go first, and no more than have to.
   *
   * @param until when those may be forgotten
   */
  ExecutionRecord fitting(ExecutionRecord record, long until) {
    int over = Ledger.size(record) - records.mostBytes();
    if (over <= 0) {
      return record;
    }
    Map<String, Point> points = new LinkedHashMap<>(record.points());
    List<Map.Entry<String, Point>> longest =
        record.points().entrySet().stream()
            .filter(step -> movable(step.getValue()) > SHORT)
            .sorted(Comparator.comparing(step -> -movable(step.getValue())))
            .toList();
    for (int i = 0; i < longest.size() && over > 0; i++) {
      Point point = longest.get(i).getValue();
      Stored value = Objects.requireNonNull(point.value());
      Stored moved = elsewhere(value, record, until);
      points.put(longest.get(i).getKey(), new Point(point.done(), moved));
      over -= bytes(value.json()) - bytes(moved.json());
    }
    return record.with(points, record.result());
  }

  /** How many bytes of a step's result are in its record. */
  private static int movable(Point point) {
    Stored value = point.value();
    return value == null || place(value) != null ? 0 : bytes(value.json());
  }

  private static ExecutionRecord part(
      ExecutionRecord by, String revision, String text, long expires) {
    return new ExecutionRecord(
        revision,
        State.DONE,
        by.owner(),
        by.fence(),
        0,
        0,
        expires,
        "",
        "",
        null,
        Map.of(),
        new Stored("part", text));
  }

  /** However long the key is, this is short. */
  private String partKey(String id, int number) {
    String digest = Json.digest(key.getBytes(StandardCharsets.UTF_8));
    return MessageId.of(digest, id, Integer.toString(number)).value();
  }

  /** The value as it was before {@link #fit}. */
  @Nullable Stored whole(@Nullable Stored value) {
    if (value == null || value.json() == null) {
      return value;
    }
    String place = place(value);
    String text = place == null ? value.json() : gathered(place);
    return new Stored(value.type(), Packed.unpack(text, most));
  }

  /** The text of parts, which is packed, and so takes at most a third more than it unpacks to. */
  private String gathered(String place) {
    int colon = place.indexOf(':');
    String id = place.substring(colon + 1);
    StringBuilder text = new StringBuilder();
    int count = count(place.substring(0, Math.max(0, colon)));
    for (int i = 0; i < count; i++) {
      String at = partKey(id, i);
      ExecutionRecord part =
          writes
              .read(at)
              .orElseThrow(
                  () ->
                      new CorruptRecordException(
                          "a part of an execution's result is missing", null, null));
      Stored stored = part.result();
      text.append(stored == null || stored.json() == null ? "" : stored.json());
      if (text.length() > 1_000 + most * 3L / 2) {
        throw new CorruptRecordException(
            "an execution's value is in parts that are more than the %d bytes that are read"
                .formatted(most),
            null,
            null);
      }
    }
    return text.toString();
  }

  private static int count(String number) {
    try {
      return Integer.parseInt(number);
    } catch (NumberFormatException e) {
      throw new CorruptRecordException(
          "a result of an execution is in parts, and does not tell their number",
          null,
          Faults.silent(e));
    }
  }

  /** The parts that a record names, by their keys. */
  Map<String, ExecutionRecord> of(ExecutionRecord record) {
    Map<String, ExecutionRecord> parts = new LinkedHashMap<>();
    record.points().values().forEach(point -> of(point.value(), parts));
    of(record.result(), parts);
    return parts;
  }

  private void of(@Nullable Stored value, Map<String, ExecutionRecord> parts) {
    String place = place(value);
    String id = place == null ? "" : place.substring(place.indexOf(':') + 1);
    ExecutionRecord part = place == null ? null : part(partKey(id, 0));
    for (int i = 1; part != null; i++) {
      parts.put(partKey(id, i - 1), part);
      part = part(partKey(id, i));
    }
  }

  /** Where a value is in parts; null if it is not. */
  private static @Nullable String place(@Nullable Stored value) {
    String text = value == null ? null : value.json();
    return text != null && text.startsWith(ELSEWHERE) ? text.substring(ELSEWHERE.length()) : null;
  }

  /** A part; null if there is none that can be read, as whoever reads the value will tell. */
  private @Nullable ExecutionRecord part(String at) {
    try {
      return writes.read(at).orElse(null);
    } catch (CorruptRecordException e) {
      return null;
    }
  }

  /** Keeps a part from expiry, unless somebody has let it go since it was read. */
  void keep(String at, ExecutionRecord read) {
    ExecutionRecord part = part(at);
    if (part != null && part.revision().equals(read.revision())) {
      expire(at, part, part.expires() + ASKED);
    }
  }

  /** Removes a part that no record names any more, whoever has kept it meanwhile. */
  void remove(String at, ExecutionRecord read) {
    ExecutionRecord part = read;
    while (part != null) {
      part = writes.remove(at, part);
    }
  }

  /** Whether a record that waits for a person names parts that expire. */
  boolean mayExpire(ExecutionRecord waiting) {
    return of(waiting).values().stream().anyMatch(part -> part.expires() <= ASKED);
  }

  /**
   * Lets the parts expire of what waited for a person, in the time that their name tells, but not
   * at once: they may be needed where this is not followed by a write. Their new revisions stop
   * whoever is about to keep them.
   */
  void letGo(@Nullable ExecutionRecord before) {
    if (before == null || before.state() != State.PARKED) {
      return;
    }
    long soonest = records.clock().millis() / 1_000 + MONTH;
    for (String at : of(before).keySet()) {
      ExecutionRecord part = part(at);
      while (part != null) {
        long told = part.expires() - (part.expires() > ASKED ? ASKED : 0);
        part = expire(at, part, Math.max(told, soonest));
      }
    }
  }

  /** Writes when a part expires; gives what is there instead. */
  private @Nullable ExecutionRecord expire(String at, ExecutionRecord part, long expires) {
    ExecutionRecord next = part.expiring(expires);
    ExecutionRecord left = writes.write(at, part, next);
    return left != null && left.isOf(next) ? null : left;
  }
}
