package dev.tidemark.execution;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.ExecutionRecords.Answer;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Ids;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes to one key until the store has answered: what was not carried out is asked again, and what
 * may have been is told by its revision, which nobody else can have written.
 */
final class Ledger {
  /** From this length on, a value is compressed. */
  private static final int LONG = 4_096;

  private static final String ELSEWHERE = "parts:";

  /** How often a request may pass the deadline of the store's client. */
  private static final int MOST_LATE = 3;

  private final ExecutionRecords records;
  private final Backoff.Pauses pauses;
  private final String key;
  private final int most;
  private final Set<String> unanswered = new HashSet<>();
  private @Nullable Throwable fault;

  /**
   * For one call.
   *
   * @param most how many bytes of UTF-8 a value may take
   */
  Ledger(ExecutionRecords records, Backoff.Pauses pauses, String key, int most) {
    this.records = records;
    this.pauses = pauses;
    this.key = key;
    this.most = most;
  }

  String key() {
    return key;
  }

  /**
   * Writes a record in place of a revision.
   *
   * @param before the revision; null for none
   * @return what is there instead; the record itself if it was written
   */
  @Nullable ExecutionRecord write(@Nullable String before, ExecutionRecord record) {
    return told(before, ask(() -> records.write(key, before, record), record));
  }

  /**
   * Removes a revision.
   *
   * @return what is there instead; null if nothing is
   */
  @Nullable ExecutionRecord remove(String before) {
    return told(before, ask(() -> records.remove(key, before), null));
  }

  /**
   * Removes what is stored, also what cannot be read.
   *
   * @param stays tells what is not to be removed
   * @return whether nothing is stored now
   */
  boolean clear(Predicate<ExecutionRecord> stays) {
    try {
      ExecutionRecord found = records.read(key).orElse(null);
      while (found != null && !stays.test(found)) {
        found = remove(found.revision());
      }
      return found == null;
    } catch (CorruptRecordException e) {
      if (ask(() -> records.removeUnreadable(key), null) != null) {
        throw e; // it has become another one
      }
      return true;
    }
  }

  /** A revision that is there, and is not written over, cannot be what is stored. */
  private static @Nullable ExecutionRecord told(
      @Nullable String before, @Nullable ExecutionRecord found) {
    if (found != null && found.revision().equals(before)) {
      throw new CorruptRecordException(
          "the record of an execution has a revision by which it cannot be written", null, null);
    }
    return found;
  }

  /** Whether a write of this call, whose answer did not come, has left that record. */
  boolean isOwn(@Nullable ExecutionRecord found) {
    return found != null && unanswered.contains(found.revision());
  }

  /** Whether an error is one that the store threw. */
  boolean isFault(Throwable error) {
    return error == fault;
  }

  private <A> A asked(Supplier<A> question) {
    try {
      return question.get();
    } catch (Throwable e) {
      fault = e;
      throw e;
    }
  }

  private @Nullable ExecutionRecord ask(
      Supplier<Answer> question, @Nullable ExecutionRecord record) {
    Backoff backoff = new Backoff(pauses);
    boolean lost = false;
    int late = 0;
    while (true) {
      Answer answer;
      try {
        answer = asked(question);
      } catch (Throwable e) {
        mayHaveLeft(record);
        throw e;
      }
      if (answer instanceof Answer.Written) {
        return record;
      }
      if (answer instanceof Answer.Refused refused) {
        return refused.found();
      }
      RuntimeException error;
      if (answer instanceof Answer.Lost none) {
        error = none.error();
        lost = true;
        late += none.late() ? 1 : 0;
        mayHaveLeft(record);
      } else {
        error = ((Answer.Busy) answer).error();
      }
      if (late == MOST_LATE || !backoff.again()) {
        throw lost
            ? new OutcomeUnknownException(
                "no answer came for a write of an execution's record", null, error)
            : new ContentionException(
                "throttling outlasted the tries for a write of an execution's record", null, error);
      }
    }
  }

  private void mayHaveLeft(@Nullable ExecutionRecord record) {
    if (record != null) {
      unanswered.add(record.revision());
    }
  }

  /**
   * A value in the form that fits: as it is, compressed, or in records of its own, which are
   * written before the one that names them.
   *
   * @param expires when those may be forgotten
   */
  Stored fit(Stored value, ExecutionRecord by, int room, long expires) {
    String json = value.json();
    if (json == null || (json.length() < LONG && bytes(json) <= room)) {
      return value;
    }
    String packed = Packed.pack(json);
    String shorter = packed.length() < json.length() ? packed : json;
    return bytes(shorter) <= room
        ? new Stored(value.type(), shorter)
        : new Stored(value.type(), ELSEWHERE + scatter(packed, by, expires));
  }

  /** Writes a text as records of its own: the revision that they are named by, and their number. */
  private String scatter(String text, ExecutionRecord by, long expires) {
    int size = records.mostBytes() - 1_000;
    int parts = (text.length() + size - 1) / size;
    String id = id(expires).toString();
    for (int i = 0; i < parts; i++) {
      String part = text.substring(i * size, Math.min(text.length(), (i + 1) * size));
      ExecutionRecord record = part(by, id + "." + i, part, expires);
      String at = partKey(id, i);
      ask(() -> records.write(at, null, record), record);
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
   * A record whose steps have results that are not forgotten before it: parts that would be are
   * written again, before the record that names them.
   *
   * @param until when those may be forgotten
   */
  ExecutionRecord lasting(ExecutionRecord record, long until) {
    Map<String, Point> points = new LinkedHashMap<>(record.points());
    points.replaceAll((name, point) -> lasting(point, record, until));
    return points.equals(record.points()) ? record : record.with(points);
  }

  private Point lasting(Point point, ExecutionRecord record, long until) {
    Stored value = point.value();
    String text = value == null ? null : value.json();
    if (value == null || text == null || !text.startsWith(ELSEWHERE)) {
      return point;
    }
    String place = text.substring(ELSEWHERE.length());
    if (expires(place.substring(place.indexOf(':') + 1)) >= record.lasts()) {
      return point;
    }
    try {
      String parts = ELSEWHERE + scatter(gathered(place), record, until);
      return new Point(point.done(), new Stored(value.type(), parts));
    } catch (CorruptRecordException e) {
      return point; // whoever reads the result tells
    }
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
    String text = value.json();
    if (text.startsWith(ELSEWHERE)) {
      text = gathered(text.substring(ELSEWHERE.length()));
    }
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
          asked(() -> records.read(at))
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

  /** Requires that a record fits, as to its values. */
  void requireFit(ExecutionRecord record) {
    if (size(record) > records.mostBytes()) {
      throw new TooLargeException(
          "the record of an execution would exceed "
              + records.mostBytes()
              + " bytes: its request or the results of its steps are too large",
          null,
          null);
    }
  }

  /** About how many bytes a record takes. */
  static int size(ExecutionRecord record) {
    int size = 400 + bytes(record.request()) + bytes(record.result());
    for (Map.Entry<String, ExecutionRecord.Point> point : record.points().entrySet()) {
      size += 40 + bytes(point.getKey()) + bytes(point.getValue().value());
    }
    return size;
  }

  private static int bytes(@Nullable Stored value) {
    return value == null ? 0 : bytes(value.type()) + bytes(value.json());
  }

  private static int bytes(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
