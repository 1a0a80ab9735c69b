package dev.tidemark.tck;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Tracking;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A backend whose stores are wrong in one way. */
final class MutantBackend implements Backend {
  private final Backend sound;
  private final Mutant mutant;
  private final MutantFaults faults;

  MutantBackend(Backend sound, Mutant mutant) {
    this.sound = sound;
    this.mutant = mutant;
    this.faults = new MutantFaults(sound.faults());
  }

  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public Map<Capability, String> missing() {
    return sound.missing();
  }

  @Override
  public EntityStore<View> views(Tracking tracking, Clock clock) {
    return mutant.wrong(sound.views(mutant.tracking(tracking), mutant.clock(clock)), faults);
  }

  @Override
  public EntityStore<View> views(Tracking tracking, Clock clock, MarkCache cache) {
    return mutant.wrong(sound.views(mutant.tracking(tracking), mutant.clock(clock), cache), faults);
  }

  @Override
  public EntityStore<View> compositeViews(Tracking tracking, Clock clock) {
    return mutant.wrong(
        sound.compositeViews(mutant.tracking(tracking), mutant.clock(clock)), faults);
  }

  @Override
  public EntityUpdate counting(EntityUpdate.Rules rules, @Nullable String status) {
    return sound.counting(rules, status);
  }

  @Override
  public RecordStore recordStore(Clock clock) {
    return sound.recordStore(clock);
  }

  @Override
  public OutboxRecords outboxRecords(Clock clock) {
    return sound.outboxRecords(clock);
  }

  @Override
  public Transactions transactions(Clock clock) {
    return sound.transactions(clock);
  }

  @Override
  public Optional<Map<String, Object>> raw(EntityKey key) {
    return sound.raw(key);
  }

  @Override
  public void putRaw(EntityKey key, Map<String, Object> record) {
    sound.putRaw(key, record);
  }

  @Override
  public void putNull(EntityKey key, Set<String> marks) {
    Set<String> nulls = new LinkedHashSet<>(marks);
    nulls.removeAll(mutant.nulls().keySet());
    if (nulls.size() < marks.size()) {
      Map<String, Object> record = new LinkedHashMap<>(sound.raw(key).orElseThrow());
      record.putAll(mutant.nulls());
      sound.putRaw(key, record);
    }
    sound.putNull(key, nulls);
  }

  @Override
  public void putJson(String json) {
    sound.putJson(json);
  }

  @Override
  public void putRecordJson(String json) {
    sound.putRecordJson(json);
  }

  @Override
  public Optional<String> recordBeside(String json) {
    return sound.recordBeside(json);
  }

  @Override
  public String format() {
    return sound.format();
  }

  @Override
  public Cost measure(Runnable action) {
    return sound.measure(action);
  }

  @Override
  public Faults faults() {
    return mutant.losesReplies() ? faults : sound.faults();
  }

  @Override
  public void close() {}
}
