package dev.tidemark.execution;

import static dev.tidemark.store.StoredRecord.EXPIRES;
import static dev.tidemark.store.StoredRecord.LEASE_END;
import static dev.tidemark.store.StoredRecord.PENDING;
import static dev.tidemark.store.StoredRecord.REVISION;

import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.kernel.RecordCodec;
import dev.tidemark.kernel.StoredFields;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Executions as plain records, as docs/storage-format.md has them. */
final class ExecutionCodec implements RecordCodec<ExecutionRecord> {
  /**
   * The partition of the index that has what waits for a person. The others are unfinished flows by
   * their names, which start with a slash.
   */
  static final String PARKED = "!parked";

  static final ExecutionCodec CODEC = new ExecutionCodec();

  private ExecutionCodec() {}

  @Override
  public String what() {
    return "the record of an execution";
  }

  @Override
  public String revision(ExecutionRecord record) {
    return record.revision();
  }

  @Override
  public Map<String, Object> fields(ExecutionRecord record) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(REVISION, record.revision());
    fields.put("state", record.state().name());
    fields.put("owner", record.owner());
    fields.put("fence", record.fence());
    fields.put("leaseMillis", record.leaseMillis());
    fields.put(LEASE_END, record.leaseEnd());
    fields.put("fingerprint", record.fingerprint());
    if (record.expires() > 0) {
      fields.put(EXPIRES, Instant.ofEpochSecond(record.expires()));
    }
    if (!record.flow().isEmpty()) {
      fields.put("flow", record.flow());
    }
    String partition = partition(record);
    if (!partition.isEmpty()) {
      fields.put(PENDING, partition);
    }
    String request = record.request();
    if (request != null) {
      fields.put("request", request);
    }
    if (!record.points().isEmpty()) {
      Map<String, Object> points = new LinkedHashMap<>();
      record.points().forEach((name, point) -> points.put(name, point(point)));
      fields.put("points", points);
    }
    Stored result = record.result();
    if (result != null) {
      fields.put("result", value(result));
    }
    return fields;
  }

  /** Where the index has a record; empty if it does not. */
  private static String partition(ExecutionRecord record) {
    if (record.state() == State.PARKED) {
      return PARKED;
    }
    return record.isOpen() ? record.flow() : "";
  }

  private static Map<String, Object> point(Point point) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("done", point.done());
    Stored value = point.value();
    if (value != null) {
      values.putAll(value(value));
    }
    return values;
  }

  private static Map<String, Object> value(Stored value) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("type", value.type());
    String json = value.json();
    if (json != null) {
      values.put("json", json);
    }
    return values;
  }

  @Override
  public ExecutionRecord record(StoredFields fields) {
    Map<String, Point> points = new LinkedHashMap<>();
    fields
        .each("points")
        .forEach((name, point) -> points.put(name, new Point(point.flag("done"), value(point))));
    return new ExecutionRecord(
        fields.text(REVISION),
        fields.constant("state", State.class),
        fields.text("owner"),
        fields.number("fence"),
        fields.number("leaseMillis"),
        fields.number(LEASE_END),
        fields.seconds(EXPIRES),
        fields.text("fingerprint"),
        fields.text("flow"),
        fields.textIfThere("request"),
        points,
        value(fields.values("result")));
  }

  private static @Nullable Stored value(StoredFields values) {
    String type = values.textIfThere("type");
    return type == null ? null : new Stored(type, values.textIfThere("json"));
  }
}
