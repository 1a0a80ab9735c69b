package dev.tidemark.tck.contract;

import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.View;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Looks for the orders in which the writes of a call and those of others, each in its own order,
 * have to tell what they told. What is unknown was made at some time or never; so was what was not
 * done and of which an attempt has landed late.
 */
final class Orders {
  private final List<OracleCheck.Told> own;
  private final List<OracleCheck.Told> others;
  private final boolean alone;
  private final boolean lost;
  private final boolean landedLate;
  private final Function<Write<View>, Function<Oracle, Oracle.Step>> writing;
  private final Set<State> seen = new HashSet<>();
  private final Set<Oracle> ends = new HashSet<>();

  private int furthest;
  private String stuck = "";

  /** How far one order has come; {@code open} are own writes that may yet be made. */
  private record State(int own, int others, List<Integer> open, Oracle oracle) {}

  Orders(
      List<OracleCheck.Told> own,
      List<OracleCheck.Told> others,
      boolean alone,
      boolean lost,
      boolean landedLate,
      Function<Write<View>, Function<Oracle, Oracle.Step>> writing) {
    this.own = own;
    this.others = others;
    this.alone = alone;
    this.lost = lost;
    this.landedLate = landedLate;
    this.writing = writing;
  }

  /** How the entity may be after them; none if no order explains what was told. */
  Set<Oracle> of(Set<Oracle> starts) {
    List<Integer> open =
        IntStream.range(0, own.size())
            .filter(place -> mayBeMade(own.get(place).result()))
            .boxed()
            .toList();
    starts.forEach(start -> go(new State(0, 0, open, start)));
    return ends;
  }

  /** What no order explains, after as many writes as one explains. */
  String stuck() {
    return stuck;
  }

  private boolean agree(State state, Oracle.Step step, OracleCheck.Told told, boolean tellsAll) {
    boolean agree =
        OracleCheck.agree(told.write(), step, told.result(), tellsAll)
            || isForgottenBefore(step, told);
    if (!agree && state.own() + state.others() >= furthest) {
      stuck = state.own() + state.others() > furthest ? "" : stuck;
      furthest = state.own() + state.others();
      stuck +=
          "\n  "
              + OracleCheck.text(told.result())
              + " of "
              + told.write()
              + " is not "
              + OracleCheck.text(step.result());
    }
    return agree;
  }

  /** Nothing is left of a forgotten entity, which tells who has forgotten it. */
  private boolean isForgottenBefore(Oracle.Step step, OracleCheck.Told told) {
    return lost
        && told.write().action() instanceof Write.Action.Forget
        && Words.of(told.result()).equals("Deleted")
        && Words.of(step.result()).equals("Applied");
  }

  private Oracle.Step step(OracleCheck.Told told, Oracle oracle) {
    return writing.apply(told.write()).apply(oracle);
  }

  private void go(State state) {
    if (!seen.add(state)) {
      return;
    }
    if (state.own() == own.size() && state.others() == others.size()) {
      ends.add(state.oracle());
    }
    if (state.others() < others.size()) {
      OracleCheck.Told told = others.get(state.others());
      Oracle.Step step = step(told, state.oracle());
      if (agree(state, step, told, true)) {
        go(new State(state.own(), state.others() + 1, state.open(), step.after()));
      }
    }
    if (state.own() < own.size()) {
      goOn(state, own.get(state.own()));
    }
    for (int place : state.open()) {
      List<Integer> later = state.open().stream().filter(p -> p != place).toList();
      Oracle after = step(own.get(place), state.oracle()).after();
      go(new State(state.own(), state.others(), later, after));
    }
  }

  private void goOn(State state, OracleCheck.Told told) {
    Oracle.Step step = step(told, state.oracle());
    if (OracleCheck.isUndecided(told.result())) {
      go(new State(state.own() + 1, state.others(), state.open(), state.oracle()));
    } else if (agree(state, step, told, alone)) {
      go(new State(state.own() + 1, state.others(), state.open(), step.after()));
    }
  }

  private boolean mayBeMade(Result<View> result) {
    return OracleCheck.isUnknown(result)
        || (landedLate && !result.isDone() && !OracleCheck.isUndecided(result));
  }
}
