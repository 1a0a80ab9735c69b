package dev.tidemark.tck;

import static dev.tidemark.Change.change;
import static dev.tidemark.tck.Mutant.named;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Evaluator;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Mutants that write at the wrong time, or too little, or too much. */
final class WrongWrites {
  private static final ViewMapper MAPPER = new ViewMapper(false);

  /** How long a check is from its act, so that writers in memory meet as those of servers do. */
  private static final long WINDOW = 5_000_000;

  private WrongWrites() {}

  /** A change made in another way. */
  private interface Update {
    Outcome<View> make(EntityStore<View> sound, Message message, EntityKey key, Change change);
  }

  private static UnaryOperator<EntityStore<View>> updating(Update wrong) {
    return store ->
        new MutantStore(store) {
          @Override
          Outcome<View> updated(Message message, EntityKey key, Change change) {
            return wrong.make(sound, message, key, change);
          }
        };
  }

  private static Outcome<View> checkThenAct(
      EntityStore<View> sound, Message message, EntityKey key, Change change) {
    boolean seen = sound.find(key, NotBefore.notBefore(message)) instanceof Freshness.Fresh;
    if (seen) {
      return sound.update(message, key, change);
    }
    LockSupport.parkNanos(WINDOW);
    Outcome<View> outcome = sound.update(MutantStore.unasked(), key, change);
    boolean recorded = sound.skip(message, key).isDone();
    return recorded ? outcome : sound.update(message, key, change);
  }

  private static Outcome<View> ruleFirst(
      EntityStore<View> sound, Message message, EntityKey key, Change change) {
    Condition rule = change.condition().orElse(Condition.always());
    Optional<View> view = sound.find(key);
    boolean refused = view.isPresent() && !Evaluator.test(rule, MAPPER.attributes(view.get()));
    return refused ? new Outcome.Refused<>(null, false) : sound.update(message, key, change);
  }

  private static Outcome<View> lostRaceIsDuplicate(
      EntityStore<View> sound, Message message, EntityKey key, Change change) {
    if (!change.rules().creates() || sound.find(key).isPresent()) {
      return sound.update(message, key, change);
    }
    LockSupport.parkNanos(WINDOW);
    Condition absent = Condition.attribute("total").isMissing();
    Outcome<View> created = sound.update(message, key, change.onlyIf(absent));
    return created instanceof Outcome.Refused ? new Outcome.Duplicate<>(null, null) : created;
  }

  private static Outcome<View> contentionIsDuplicate(
      EntityStore<View> sound, Message message, EntityKey key, Change change) {
    try {
      return sound.update(message, key, change);
    } catch (ContentionException e) {
      return new Outcome.Duplicate<>(null, null);
    }
  }

  private static Outcome<View> halfBuilt(
      EntityStore<View> sound, Message message, EntityKey key, Change change) {
    Outcome<View> outcome = sound.update(message, key, change);
    if (outcome instanceof Outcome.Refused && sound.find(key).isEmpty()) {
      Outcome<View> row = sound.update(MutantStore.unasked(), key, change().createIfMissing());
      return row.isApplied() ? outcome : row;
    }
    return outcome;
  }

  private static Outcome<View> revivedAnew(
      EntityStore<View> sound, Message message, EntityKey key, Change change) {
    boolean revived =
        change.rules().revives() && sound.forget(MutantStore.unasked(), key).isApplied();
    return revived
        ? sound.update(message, key, change.createIfMissing())
        : sound.update(message, key, change);
  }

  private static EntityStore<View> functionsLoseUpdates(EntityStore<View> store) {
    return new MutantStore(store) {
      @Override
      public Outcome<View> apply(Message message, EntityKey key, UnaryOperator<View> function) {
        Optional<View> read = sound.find(key);
        if (read.isEmpty()) {
          return sound.apply(message, key, function);
        }
        Change all = change();
        Map<String, Object> after = MAPPER.attributes(function.apply(read.get()));
        for (Map.Entry<String, Object> attribute : after.entrySet()) {
          all = all.set(attribute.getKey(), attribute.getValue());
        }
        return sound.update(message, key, all);
      }
    };
  }

  private static EntityStore<View> recordsBeforeFunction(EntityStore<View> store) {
    return new MutantStore(store) {
      @Override
      public Outcome<View> apply(Message message, EntityKey key, UnaryOperator<View> function) {
        Outcome<View> recorded = sound.skip(message, key);
        return recorded instanceof Outcome.Recorded
            ? sound.apply(unasked(), key, function)
            : recorded;
      }
    };
  }

  private static EntityStore<View> readsFromCache(EntityStore<View> store) {
    Map<EntityKey, Optional<View>> cache = new ConcurrentHashMap<>();
    return new MutantStore(store) {
      @Override
      public Optional<View> find(EntityKey key) {
        return cache.computeIfAbsent(key, sound::find);
      }
    };
  }

  private static EntityStore<View> skipsNothing(EntityStore<View> store) {
    return new MutantStore(store) {
      @Override
      public Outcome<View> skip(Message message, EntityKey key) {
        return new Outcome.Recorded<>(null, null);
      }
    };
  }

  /** Answers for a tombstone what it should, but leaves the next event of a source to wait. */
  private static Outcome<View> recordsNothingOnTombstones(
      EntityStore<View> sound, Message message, EntityKey key, Change change) {
    boolean next =
        message instanceof SourceEvent event
            && sound.find(key).isEmpty()
            && sound.find(key, NotBefore.notBefore(message)) instanceof Freshness.NotYet<View> seen
            && seen.mark().filter(mark -> follows(mark.highest(), event.position())).isPresent();
    return next && !change.rules().revives()
        ? new Outcome.Deleted<>()
        : sound.update(message, key, change);
  }

  private static boolean follows(Position before, Position position) {
    return before instanceof Position.Numeric one
        && position instanceof Position.Numeric other
        && other.value().equals(one.value().add(BigInteger.ONE));
  }

  private static EntityStore<View> deletesOutright(EntityStore<View> store) {
    return new MutantStore(store) {
      @Override
      public Outcome<View> delete(Message message, EntityKey key) {
        return sound.forget(message, key);
      }
    };
  }

  static List<Mutant> all() {
    return List.of(
        named("check then act", "ContentionContract#oneMessage", "expected: <8>")
            .does(updating(WrongWrites::checkThenAct)),
        named("rule before mark", "MarkFirstContract#conditionMadeFalseByItself", "was Refused")
            .does(updating(WrongWrites::ruleFirst)),
        named("always upsert", "OutcomesContract#missing", "Missing but was Applied")
            .does(updating((s, m, k, c) -> s.update(m, k, c.createIfMissing()))),
        named("lost create race read as duplicate", "ContentionContract#distinctIds", "Duplicate")
            .does(updating(WrongWrites::lostRaceIsDuplicate)),
        named("contention read as duplicate", "ContentionContract#lasting", "ContentionException")
            .does(updating(WrongWrites::contentionIsDuplicate)),
        named("half-built row", "MarkFirstContract#refusedLeavesNothing", "stored after Refused")
            .does(updating(WrongWrites::halfBuilt)),
        named("lost tombstone", "DeletesContract#redeliveredCreate", "was Applied")
            .does(WrongWrites::deletesOutright),
        named("tombstone records nothing", "TombstoneContract#follows", "Deleted but was Gap")
            .does(updating(WrongWrites::recordsNothingOnTombstones)),
        named(
                "marks lost by recreate",
                "DeletesContract#recreate",
                "expected Duplicate but was Applied")
            .does(updating(WrongWrites::revivedAnew)),
        named("skip that records nothing", "SkippingContract#skip", "expected")
            .does(WrongWrites::skipsNothing),
        named("functions that lose updates", "ApplyContract#writerInBetween", "expected: <2>")
            .does(WrongWrites::functionsLoseUpdates),
        named("recorded before the function", "ApplyContract#failures", "nothing was thrown")
            .does(WrongWrites::recordsBeforeFunction),
        named("deciding read from a cache", "DurableContract#otherNode", "expected")
            .does(WrongWrites::readsFromCache));
  }
}
