package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Found;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Neutral;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.ReferenceBackend;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.GUARDS)
@DisplayName(
    "What a write requires of an absent, a deleted and a live entity, in every combination")
final class EntityStatesContract {
  private static final boolean FULL = Boolean.getBoolean("tidemark.full");

  /** Of how many combinations one is tried: primes, so that all of each part come up. */
  private static final int ONE_IN = 197;

  private static final int ONE_IN_OF_SECOND = 397;
  private static final int ONE_IN_MEMORY = 29;

  private static final Duration EXPIRY = Duration.ofDays(1);
  private static final String SOURCE = "4711";

  private static final List<Tracking> TRACKINGS =
      List.of(
          Tracking.defaults().tombstonesKeptFor(EXPIRY),
          Tracking.defaults().tombstonesKeptFor(EXPIRY).events(EventPolicy.contiguous()),
          Tracking.defaults().tombstonesKeptFor(EXPIRY).events(EventPolicy.denseWindow(5)),
          Tracking.defaults().tombstonesKeptFor(EXPIRY).maxSources(1));

  /** What is stored before the write. */
  private enum State {
    ABSENT,
    LIVE,
    LIVE_WITHOUT_REVISION,
    LIVE_WITH_NULL_REVISION,
    LIVE_WITH_MANY_SOURCES,
    LIVE_WITH_FOREIGN_ATTRIBUTE,
    DELETED,
    DELETED_UNSEEN,
    DELETED_WITHOUT_REVISION,
    DELETED_WITH_NULL_REVISION,
    EXPIRED,
    EXPIRED_WITHOUT_REVISION,
    EXPIRED_WITH_NULL_REVISION;

    private boolean isLive() {
      return name().startsWith("LIVE");
    }

    private boolean isExpired() {
      return name().startsWith("EXPIRED");
    }
  }

  /** Which message the write is of. */
  private enum Kind {
    FRESH_ID,
    KNOWN_ID,
    NEXT_EVENT,
    KNOWN_EVENT
  }

  /** How the write is sent. */
  private enum Path {
    ALONE,
    /** Behind a write of another entity. */
    BATCH,
    /** With another write of the same entity behind it. */
    FOLD,
    TRANSACTION
  }

  /**
   * What the write does.
   *
   * @param name tells it from others
   * @param natively whether it is sent in the store's own words
   * @param write makes it
   */
  private record Action(
      String name, boolean natively, BiFunction<Message, EntityKey, Write<View>> write) {
    @Override
    public String toString() {
      return name + (natively ? ", native" : "");
    }
  }

  private static final List<Action> ACTIONS = actions();

  private final Backend backend;

  EntityStatesContract(Backend backend) {
    this.backend = backend;
  }

  private static List<Action> actions() {
    List<Action> all = new ArrayList<>();
    Map<String, Condition> rules = new LinkedHashMap<>();
    rules.put("without a rule", Condition.always());
    rules.put("under a rule that is true of the live", attribute("status").is("NEW"));
    rules.put("under a rule that is true of the absent", attribute("status").isMissing());
    rules.put("under a rule that is false of both", attribute("status").is("PAID"));
    rules.forEach(
        (name, rule) -> {
          boolean ruled = !rule.equals(Condition.always());
          Change counts = Change.change().add("total", 1);
          Change ruling = ruled ? counts.onlyIf(rule) : counts;
          add(all, "update " + name, ruling);
          add(all, "returning update " + name, ruling.returning());
          add(all, "createIfMissing " + name, ruling.createIfMissing());
          add(all, "returning createIfMissing " + name, ruling.createIfMissing().returning());
          add(all, "recreate " + name, ruling.recreate());
          add(all, "retire " + name, ruling.createIfMissing().retire(Source.of("Order", SOURCE)));
          if (ruled) {
            add(all, "update or skip " + name, ruling.otherwiseSkip());
            add(all, "createIfMissing or skip " + name, ruling.createIfMissing().otherwiseSkip());
            add(all, "recreate or skip " + name, ruling.recreate().otherwiseSkip());
          }
        });
    all.add(new Action("skip", false, Write::skip));
    all.add(new Action("delete", false, Write::delete));
    all.add(new Action("deleteExisting", false, Write::deleteExisting));
    all.add(new Action("forget", false, Write::forget));
    all.add(new Action("function", false, (m, key) -> Write.apply(m, key, Views::counted)));
    all.add(
        new Action(
            "function that creates",
            false,
            (m, key) -> Write.apply(m, key, View::new, Views::counted)));
    all.add(
        new Action(
            "function that refuses",
            false,
            (m, key) -> Write.decide(m, key, View::new, view -> Decision.refuse())));
    all.add(
        new Action(
            "function that skips",
            false,
            (m, key) -> Write.decide(m, key, View::new, view -> Decision.skip())));
    return all;
  }

  private static void add(List<Action> all, String name, Change change) {
    all.add(new Action(name, false, (m, key) -> Write.update(m, key, change)));
    all.add(new Action(name, true, (m, key) -> Write.update(m, key, change)));
  }

  private int oneIn() {
    if (FULL) {
      return 1;
    }
    return backend instanceof ReferenceBackend
        ? ONE_IN_MEMORY
        : backend.isSecond() ? ONE_IN_OF_SECOND : ONE_IN;
  }

  @Test
  @DisplayName(
      "is told and left as on a plain map; a redelivery changes nothing, the next is fresh")
  void combinations() {
    int oneIn = oneIn();
    boolean joins = !backend.missing().containsKey(Capability.TRANSACTIONS);
    List<String> wrong = new ArrayList<>();
    int number = 0;
    int tried = 0;
    for (Tracking tracking : TRACKINGS) {
      for (State state : State.values()) {
        for (Action action : ACTIONS) {
          for (Kind kind : Kind.values()) {
            for (Path path : Path.values()) {
              boolean drawn = number++ % oneIn == 0;
              if (drawn && (joins || path != Path.TRANSACTION)) {
                tried++;
                try {
                  new Trial(tracking, state, action, kind, path).make();
                } catch (AssertionError | RuntimeException e) {
                  wrong.add(
                      "%s %s by %s %s under %s: %s"
                          .formatted(state, action, kind, path, tracking, e));
                }
              }
            }
          }
        }
      }
    }
    int of = tried;
    assertEquals(
        List.of(),
        wrong.subList(0, Math.min(wrong.size(), 20)),
        () -> wrong.size() + " of " + of + " are wrong");
  }

  /** One combination, on an entity of its own. */
  private final class Trial {
    private final MovableClock clock = MovableClock.later();
    private final EntityKey key = Some.key();
    private final OracleCheck check = new OracleCheck(backend, clock, key);
    private final MessageId known = Some.id();
    private final List<Message> asked = new ArrayList<>();
    private final Tracking tracking;
    private final EntityStore<View> store;
    private final State state;
    private final Action action;
    private final Kind kind;
    private final Path path;
    private Oracle oracle = Oracle.nothing();

    Trial(Tracking tracking, State state, Action action, Kind kind, Path path) {
      this.tracking = tracking;
      this.store = backend.views(tracking, clock);
      this.state = state;
      this.action = action;
      this.kind = kind;
      this.path = path;
    }

    void make() {
      prepare();
      Message message = message();
      asked.addAll(List.of(known, message, Some.event(1), Some.event(9)));
      assertSeen("before");
      Write<View> write = action.write().apply(message, key);
      make(write, path);
      make(write, Path.ALONE);
      make(Write.update(Some.id(), key, Scene.counted()), Path.ALONE);
    }

    /** Stores what is there before, by writes that the other contracts hold. */
    private void prepare() {
      if (state != State.ABSENT && state != State.DELETED_UNSEEN) {
        Change placed = Change.change().set("status", "NEW").set("total", 5L).createIfMissing();
        stored(Write.update(Some.event(1), key, placed));
        stored(Write.update(known, key, Scene.counted()));
      }
      if (state == State.DELETED_UNSEEN) {
        stored(Write.delete(Some.event(1), key));
      } else if (state != State.ABSENT && !state.isLive()) {
        stored(Write.delete(Some.event(2), key));
      }
      spoil();
      if (state.isExpired()) {
        clock.move(EXPIRY.plusSeconds(1));
      }
    }

    private void spoil() {
      if (state.name().endsWith("WITH_NULL_REVISION")) {
        backend.putNull(key, Set.of("_rev"));
        return;
      }
      Map<String, Object> record =
          new LinkedHashMap<>(Neutral.record(backend.raw(key).orElse(Map.of())));
      if (state.name().endsWith("WITHOUT_REVISION")) {
        record.remove("_rev");
      } else if (state == State.LIVE_WITH_MANY_SOURCES) {
        record.put("_rev", "0123456789abcdef".repeat(2) + "@");
      } else if (state == State.LIVE_WITH_FOREIGN_ATTRIBUTE) {
        record.put("foreign", "kept");
      } else {
        return;
      }
      backend.putRaw(key, record);
    }

    private void stored(Write<View> write) {
      oracle = oracle.write(write, tracking, clock.instant()).after();
      Expect.applied(store.write(write));
    }

    private Message message() {
      boolean buried = !state.isLive() && state != State.ABSENT && state != State.DELETED_UNSEEN;
      int last = state == State.ABSENT || state.isExpired() ? 0 : buried ? 2 : 1;
      return switch (kind) {
        case FRESH_ID -> Some.id();
        case KNOWN_ID -> known;
        case NEXT_EVENT -> Some.event(last + 1);
        case KNOWN_EVENT -> Some.event(Math.max(1, last));
      };
    }

    private void make(Write<View> write, Path how) {
      Oracle.Step step = oracle.write(write, tracking, clock.instant());
      switch (how) {
        case ALONE -> assertTold(write, step, Batch.alone(store, sent(write)), true);
        case BATCH -> {
          Write<View> other = Write.update(Some.id(), Some.key(), Scene.counted());
          List<Result<View>> results = store.writeAll(List.of(other, sent(write)));
          assertTold(write, step, results.get(1), false);
        }
        case FOLD -> {
          fold(write);
          return;
        }
        case TRANSACTION -> {
          transact(write, step);
          return;
        }
      }
      oracle = step.after();
      assertSeen("after " + how);
    }

    private void fold(Write<View> write) {
      Write<View> next = Write.update(Some.id(), key, Scene.counted());
      List<Result<View>> results = store.writeAll(List.of(sent(write), next));
      List<OracleCheck.Told> told =
          List.of(
              new OracleCheck.Told(write, results.get(0)),
              new OracleCheck.Told(next, results.get(1)));
      oracle = check.replay(oracle, told, tracking, false, " in " + Words.of(results));
      assertSeen("after a fold");
    }

    private void transact(Write<View> write, Oracle.Step step) {
      Write<View> skip = Write.skip(write.message(), key);
      Oracle.Step recorded = oracle.write(skip, tracking, clock.instant());
      List<JointWrites.Part> parts =
          List.of(new JointWrites.Part(tracking, write, sent(write), step, recorded));
      JointWrites.Ended ended =
          new JointWrites(parts, false).make(backend.transactions(clock), null);
      if (ended.isWritten(0)) {
        oracle = ended.parts().get(0).step().after();
      }
      assertSeen("after a transaction");
    }

    private Write<View> sent(Write<View> write) {
      return action.natively() && write.action() instanceof Write.Action.Update<View> update
          ? backend
              .inOwnWords(update.update().in(Change.class))
              .map(own -> Write.<View>update(write.message(), key, own))
              .orElse(write)
          : write;
    }

    private void assertTold(
        Write<View> write, Oracle.Step step, Result<View> result, boolean alone) {
      assertTrue(
          OracleCheck.agree(write, step, result, alone),
          () -> OracleCheck.text(result) + ", not " + OracleCheck.text(step.result()));
    }

    private void assertSeen(String when) {
      List<Message> possible =
          asked.stream().filter(one -> OracleCheck.isPossible(one, tracking)).toList();
      assertEquals(
          List.of(), check.differences(oracle, check.seen(store, possible), tracking), when);
      Map<String, Object> record = Neutral.record(backend.raw(key).orElse(Map.of()));
      if (!when.equals("before") && oracle.at(clock.instant()).state() == Found.State.LIVE) {
        assertFalse(record.containsKey("deletedUntil"), when);
      }
    }
  }
}
