package dev.tidemark.tck;

import static dev.tidemark.tck.Mutant.named;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Evaluator;
import java.util.List;
import java.util.function.BiFunction;

/** Mutants that take a lost reply for something else. */
final class WrongRetries {
  private static final ViewMapper MAPPER = new ViewMapper(false);

  private WrongRetries() {}

  /** What a mutant does after a write whose reply was lost. */
  private interface Retry {
    Outcome<View> again(EntityStore<View> sound, Message message, EntityKey key, Change change);
  }

  private static BiFunction<EntityStore<View>, MutantFaults, EntityStore<View>> after(Retry wrong) {
    return (store, faults) ->
        new MutantStore(store) {
          @Override
          Outcome<View> updated(Message message, EntityKey key, Change change) {
            Outcome<View> outcome = sound.update(message, key, change);
            return faults.isLost() ? wrong.again(sound, message, key, change) : outcome;
          }
        };
  }

  private static Outcome<View> ruleAlone(
      EntityStore<View> sound, Message message, EntityKey key, Change change) {
    Condition rule = change.condition().orElse(Condition.always());
    boolean holds =
        sound.find(key).map(v -> Evaluator.test(rule, MAPPER.attributes(v))).orElse(true);
    return holds ? new Outcome.Applied<>(null, false, null) : new Outcome.Refused<>(null, false);
  }

  static List<Mutant> all() {
    return List.of(
        named("unconditional retry", "LostReplyContract#update", "expected: <3>")
            .loses(after((s, m, k, c) -> s.update(MutantStore.unasked(), k, c))),
        named("attempt token ignored", "LostReplyContract#update", "Applied but was Duplicate")
            .loses(after((s, m, k, c) -> s.update(m, k, c))),
        named("own lost attempt read as refused", "LostReplyContract#ownCondition", "was Refused")
            .loses(after(WrongRetries::ruleAlone)));
  }
}
