package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Goes through all schedules of two owners of one key whose work has three steps, with a crash and
 * a lost reply at every request and the end of the lease at every point. Schedules that meet in one
 * state are followed once.
 */
@DisplayName("In every schedule of two owners")
class EveryScheduleTest {

  @Test
  @DisplayName("a step acts at most once, one owner completes, and the key comes to an end")
  void all() {
    Set<String> states = new HashSet<>();
    Set<String> ends = new HashSet<>();
    Deque<List<Schedule.Move>> open = new ArrayDeque<>();
    open.push(List.of());
    int schedules = 0;
    try (Schedule schedule = new Schedule()) {
      while (!open.isEmpty()) {
        List<Schedule.Move> moves = new ArrayList<>(open.pop());
        schedule.restart();
        moves.forEach(schedule::make);
        while (states.add(schedule.state())) {
          List<Schedule.Move> next = schedule.possible();
          if (next.isEmpty()) {
            schedules++;
            ends.add(check(schedule, moves));
            break;
          }
          for (Schedule.Move move : next.subList(1, next.size())) {
            List<Schedule.Move> other = new ArrayList<>(moves);
            other.add(move);
            open.push(other);
          }
          schedule.make(next.get(0)); // goes on where it is
          moves.add(next.get(0));
        }
      }
    }
    System.out.println(
        "executions: "
            + states.size()
            + " states, "
            + schedules
            + " ends, of "
            + ends.size()
            + " kinds");
    assertTrue(states.size() > 1_000, () -> "visited only " + states.size() + " states");
    assertTrue(ends.stream().anyMatch(end -> end.contains("LostOwnership")), ends::toString);
    assertTrue(ends.stream().anyMatch(end -> end.contains("InDoubt")), ends::toString);
    assertTrue(ends.stream().anyMatch(end -> end.contains("InProgress")), ends::toString);
  }

  /** What holds at the end of every schedule; gives how it ended. */
  private static String check(Schedule schedule, List<Schedule.Move> moves) {
    String how = moves + " came to " + schedule.answers() + ", " + schedule.acted();
    Execution<Integer> last = schedule.finish();
    schedule.acted().forEach((step, times) -> assertTrue(times <= 1, () -> step + " in " + how));
    long executed = schedule.answers().stream().filter("Executed"::equals).count();
    String end = last.getClass().getSimpleName();
    assertTrue(executed <= 1, how);
    assertNotEquals("InProgress", end, how);
    if (executed == 1) {
      assertEquals("Replayed", end, how);
    }
    if (last.isDone()) {
      assertEquals(Schedule.STEPS, schedule.acted().keySet(), how);
      assertEquals(Schedule.RESULT, last.result().orElseThrow(), how);
    }
    return schedule.answers() + " " + end;
  }
}
