package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Found;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Neutral;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A {@link RandomLife} on a backend, held to the {@link Oracle} round by round. */
final class LivedLife {
  /** What tracking may have in a record, for tools that write null there. */
  private static final Set<String> MARKS =
      Set.of(
          "_born", "messageIDs", "messageIDs#1", "messageIDs#since", "events#full", "deletedUntil");

  private static final List<Message> EVERYTHING = RandomLife.everything();

  private final Backend backend;
  private final MovableClock clock = new MovableClock();
  private final Map<Tracking, EntityStore<View>> stores = new HashMap<>();
  private final List<EntityKey> keys = new ArrayList<>();
  private final List<OracleCheck> checks = new ArrayList<>();
  private final List<Oracle> oracles = new ArrayList<>();

  LivedLife(Backend backend) {
    this.backend = backend;
    for (int entity = 0; entity < RandomLife.ENTITIES; entity++) {
      EntityKey key = Some.key();
      keys.add(key);
      checks.add(new OracleCheck(backend, clock, key));
      oracles.add(Oracle.nothing());
    }
  }

  /**
   * Lives it.
   *
   * @throws AssertionError where something is not as it has to be
   */
  void live(List<RandomLife.Round> rounds) {
    for (RandomLife.Round round : rounds) {
      if (round.writes().isEmpty()) {
        continue;
      }
      clock.move(round.pause());
      for (int entity = 0; entity < keys.size(); entity++) {
        disturb(entity, round);
      }
      boolean joins = !backend.missing().containsKey(Capability.TRANSACTIONS);
      switch (round.how()) {
        case ALONE -> alone(round);
        case BATCH -> batch(round);
        case TRANSACTION -> {
          if (joins) {
            transaction(round);
          } else {
            alone(round);
          }
        }
      }
      for (int entity = 0; entity < keys.size(); entity++) {
        assertSeen(entity, round.tracking());
      }
    }
  }

  private EntityStore<View> store(Tracking tracking) {
    return stores.computeIfAbsent(tracking, one -> backend.views(one, clock));
  }

  /** What another tool does to a live record of which the default names are known. */
  private void disturb(int entity, RandomLife.Round round) {
    EntityKey key = keys.get(entity);
    boolean live = oracles.get(entity).at(clock.instant()).state() == Found.State.LIVE;
    if (!live || !isNamedByDefault(round.tracking())) {
      return;
    }
    Map<String, Object> record =
        new LinkedHashMap<>(Neutral.record(backend.raw(key).orElseThrow()));
    switch (round.disturbance()) {
      case NONE -> {}
      case NULL_REVISION -> backend.putNull(key, Set.of("_rev"));
      case NO_REVISION -> {
        record.remove("_rev");
        backend.putRaw(key, record);
      }
      case TEXT_REVISION -> {
        record.put("_rev", "0123456789abcdef".repeat(2) + "@" + round.tracking().subscriber());
        backend.putRaw(key, record);
      }
      case NULL_MARKS -> {
        Set<String> absent = new HashSet<>(MARKS);
        absent.removeAll(record.keySet());
        backend.putNull(key, absent);
      }
      case FOREIGN -> {
        record.put("foreign", "kept");
        backend.putRaw(key, record);
      }
    }
  }

  private static boolean isNamedByDefault(Tracking tracking) {
    return tracking.names().equals(AttributeNames.defaults());
  }

  /** The write as the store gets it. */
  private Write<View> sent(RandomLife.Drawn drawn) {
    Write<View> write = drawn.to(keys.get(drawn.entity()));
    if (!drawn.natively() || !(write.action() instanceof Write.Action.Update<View> update)) {
      return write;
    }
    return backend
        .inOwnWords(update.update().in(Change.class))
        .map(own -> Write.<View>update(write.message(), write.key(), own))
        .map(own -> new Write<>(own.message(), own.key(), own.action(), write.laneOrNull()))
        .orElse(write);
  }

  private Oracle.Step step(int entity, Write<View> write, Tracking tracking) {
    return oracles.get(entity).write(write, tracking, clock.instant());
  }

  private void alone(RandomLife.Round round) {
    for (RandomLife.Drawn drawn : round.writes()) {
      Write<View> write = drawn.to(keys.get(drawn.entity()));
      Oracle.Step step = step(drawn.entity(), write, round.tracking());
      Result<View> result = Batch.alone(store(round.tracking()), sent(drawn));
      assertTold(write, step, result, round.tracking(), true);
      oracles.set(drawn.entity(), step.after());
    }
  }

  /** Holds the results to what the messages have to do alone, in their order of judging. */
  private void batch(RandomLife.Round round) {
    List<Write<View>> writes =
        round.writes().stream().map(one -> one.to(keys.get(one.entity()))).toList();
    List<Result<View>> results =
        store(round.tracking()).writeAll(round.writes().stream().map(this::sent).toList());
    List<OracleCheck.Told> told = new ArrayList<>();
    IdentityHashMap<Write<View>, RandomLife.Drawn> drawn = new IdentityHashMap<>();
    for (int i = 0; i < writes.size(); i++) {
      told.add(new OracleCheck.Told(writes.get(i), results.get(i)));
      drawn.put(writes.get(i), round.writes().get(i));
    }
    String what = Words.of(results).toString();
    for (OracleCheck.Told one : OracleCheck.judged(told, round.tracking(), what)) {
      RandomLife.Drawn of = drawn.get(one.write());
      int entity = of == null ? 0 : of.entity();
      Oracle.Step step = step(entity, one.write(), round.tracking());
      assertTold(one.write(), step, one.result(), round.tracking(), false);
      oracles.set(entity, step.after());
    }
  }

  private void transaction(RandomLife.Round round) {
    Map<Integer, RandomLife.Drawn> first = new LinkedHashMap<>();
    round.writes().forEach(drawn -> first.putIfAbsent(drawn.entity(), drawn));
    List<JointWrites.Part> parts = new ArrayList<>();
    first.forEach(
        (entity, drawn) -> {
          Write<View> write = drawn.to(keys.get(entity));
          Oracle.Step step = step(entity, write, round.tracking());
          Write<View> skip = Write.skip(write.message(), write.key());
          Oracle.Step recorded = step(entity, skip, round.tracking());
          parts.add(new JointWrites.Part(round.tracking(), write, sent(drawn), step, recorded));
        });
    Transactions transactions = backend.transactions(clock);
    JointWrites.Ended ended = new JointWrites(parts, false).make(transactions, null);
    int part = 0;
    for (int entity : first.keySet()) {
      if (ended.isWritten(part)) {
        oracles.set(entity, ended.parts().get(part).step().after());
      }
      part++;
    }
  }

  private static void assertTold(
      Write<View> write, Oracle.Step step, Result<View> result, Tracking tracking, boolean alone) {
    assertTrue(
        OracleCheck.agree(write, step, result, alone),
        () ->
            write + " is " + OracleCheck.text(result) + ", not " + OracleCheck.text(step.result()));
    Outcome<View> outcome = result.outcomeIfJudged().orElse(null);
    assertFalse(
        step.wasRecorded() && outcome instanceof Outcome.Applied,
        () -> write + " is applied twice");
    assertFalse(
        !step.wasRecorded() && outcome instanceof Outcome.Duplicate && !passes(write, tracking),
        () -> write + " was never applied, and is a duplicate");
  }

  /** Whether what is below a mark that another policy left counts as applied. */
  private static boolean passes(Write<View> write, Tracking tracking) {
    return write.message() instanceof SourceEvent event
        && tracking.events(event.source().type()).isDense();
  }

  private void assertSeen(int entity, Tracking tracking) {
    List<Message> asked =
        isNamedByDefault(tracking)
            ? EVERYTHING.stream().filter(one -> OracleCheck.isPossible(one, tracking)).toList()
            : List.of();
    EntityStore<View> store = store(tracking);
    OracleCheck check = checks.get(entity);
    if (asked.isEmpty()) {
      EntityKey key = keys.get(entity);
      assertEquals(
          oracles.get(entity).at(clock.instant()).view(key).map(View::toString),
          store.find(key).map(View::toString));
      return;
    }
    List<String> differences =
        check.differences(oracles.get(entity), check.seen(store, asked), tracking);
    assertEquals(List.of(), differences, () -> "stored of entity " + entity);
  }
}
