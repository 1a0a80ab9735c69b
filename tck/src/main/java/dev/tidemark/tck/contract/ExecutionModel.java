package dev.tidemark.tck.contract;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One key as the documentation has it: what calls answer, and what is known afterwards. */
final class ExecutionModel {
  static final long LEASE = 60_000;
  static final long SKEW = 10_000;
  static final long KEPT = 86_400_000L;
  static final long UNFINISHED = 30 * KEPT;

  /** How the work goes. */
  enum Work {
    RETURNS,
    THROWS,
    FAILS,
    STEPS,
    DIES_IN_STEP,
    THROWS_BEHIND_STEP,
    DIES,
    IS_OVERTAKEN
  }

  /** How far it is. */
  enum State {
    NONE,
    RUNNING,
    RELEASED,
    PARKED,
    DONE,
    FAILED
  }

  private State state = State.NONE;
  private String request = "";
  private final Set<String> done = new TreeSet<>();
  private @Nullable String begun;
  private long leaseEnd;
  private long expires;
  private int effects;
  private boolean worked;

  State state() {
    return state;
  }

  /** How often the step was acted. */
  int effects() {
    return effects;
  }

  /** Whether the work of the last call ran. */
  boolean hasWorked() {
    return worked;
  }

  /** What a call answers. */
  String run(String asked, Work work, long now) {
    worked = false;
    boolean live = state == State.RUNNING && now <= leaseEnd + SKEW;
    if (state != State.NONE && !live && expires <= now / 1000) {
      forget();
    }
    if (state != State.NONE && !request.equals(asked)) {
      return "KeyReused";
    }
    return switch (state) {
      case DONE -> "Replayed";
      case FAILED -> "Failed";
      case PARKED -> "InDoubt";
      case NONE, RELEASED -> works(asked, work, now);
      case RUNNING -> live ? "InProgress" : works(asked, work, now);
    };
  }

  private String works(String asked, Work work, long now) {
    worked = true;
    request = asked;
    running(now);
    return switch (work) {
      case RETURNS -> ends(State.DONE, now, "Executed");
      case THROWS -> ends(State.RELEASED, now, "thrown");
      case FAILS -> ends(State.FAILED, now, "Failed");
      case DIES -> "killed";
      case STEPS -> step(now) ? ends(State.DONE, now, "Executed") : "InDoubt";
      case THROWS_BEHIND_STEP -> step(now) ? ends(State.RELEASED, now, "thrown") : "InDoubt";
      case DIES_IN_STEP -> diesInStep(now);
      case IS_OVERTAKEN -> {
        long later = now + 2 * LEASE;
        running(later);
        yield ends(State.DONE, later, "LostOwnership");
      }
    };
  }

  private boolean step(long now) {
    if (begun != null) {
      ends(State.PARKED, now, "");
      return false;
    }
    if (done.add("step")) {
      effects++;
      running(now);
    }
    return true;
  }

  private String diesInStep(long now) {
    if (begun != null || done.contains("step")) {
      return step(now) ? "killed" : "InDoubt";
    }
    effects++;
    begun = "step";
    running(now);
    return "killed";
  }

  private void running(long now) {
    state = State.RUNNING;
    leaseEnd = now + LEASE;
    expires = (now + UNFINISHED) / 1000 + 1;
  }

  private String ends(State end, long now, String answer) {
    state = end;
    boolean finished = end == State.DONE || end == State.FAILED;
    boolean waits = end == State.PARKED;
    expires = waits ? Long.MAX_VALUE : (now + (finished ? KEPT : UNFINISHED)) / 1000 + 1;
    if (finished) {
      done.clear();
      begun = null;
    }
    return answer;
  }

  /** Lets the next call run: a step in doubt has not acted. */
  boolean release(long now) {
    if (state != State.PARKED) {
      return false;
    }
    begun = null;
    ends(State.RELEASED, now, "");
    return true;
  }

  /** Forgets the key unless somebody is at work. */
  boolean forget(long now) {
    if (state == State.RUNNING && now <= leaseEnd + SKEW) {
      return false;
    }
    forget();
    return true;
  }

  private void forget() {
    state = State.NONE;
    done.clear();
    begun = null;
  }
}
