package dev.tidemark.lab.clusters;

import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecords;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The marks of a cluster's replica, as one relay reaches them. */
record WiredMarks(ExecutionRecords marks, Wire wire) implements ExecutionRecords {
  @Override
  public Answer write(String key, @Nullable String before, ExecutionRecord record) {
    return wire.write(() -> marks.write(key, before, record), WiredMarks::lost);
  }

  private static Answer lost() {
    return new Answer.Lost(new IllegalStateException("the reply was lost"));
  }

  @Override
  public Optional<ExecutionRecord> read(String key) {
    return wire.read(() -> marks.read(key));
  }

  @Override
  public Answer remove(String key, String before) {
    return wire.write(() -> marks.remove(key, before), WiredMarks::lost);
  }

  @Override
  public List<String> stale(String flow, long now, int most) {
    return wire.read(() -> marks.stale(flow, now, most));
  }

  @Override
  public List<String> parked(String prefix, int most) {
    return wire.read(() -> marks.parked(prefix, most));
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    return wire.read(() -> marks.list(prefix, after, most));
  }

  @Override
  public Clock clock() {
    return marks.clock();
  }

  @Override
  public int mostBytes() {
    return marks.mostBytes();
  }
}
