package dev.tidemark.lab.clusters;

import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The marks of a cluster's replica, as one relay reaches them. */
record WiredMarks(RecordStore marks, Wire wire) implements RecordStore {
  @Override
  public Answer<StoredRecord> write(ConditionalWrite write) {
    return wire.write(() -> marks.write(write), WiredMarks::lost);
  }

  private static Answer<StoredRecord> lost() {
    return new Answer.Lost<>(new IllegalStateException("the reply was lost"));
  }

  @Override
  public Optional<StoredRecord> read(String key) {
    return wire.read(() -> marks.read(key));
  }

  @Override
  public List<String> due(String partition, long from, long before, int most) {
    return wire.read(() -> marks.due(partition, from, before, most));
  }

  @Override
  public List<String> pending(String partition, String prefix, int most) {
    return wire.read(() -> marks.pending(partition, prefix, most));
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
