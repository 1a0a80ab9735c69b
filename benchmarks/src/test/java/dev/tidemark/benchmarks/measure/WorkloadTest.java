package dev.tidemark.benchmarks.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The messages of a round")
final class WorkloadTest {
  static List<Shape> shapes() {
    return List.of(
        Shape.single(),
        Shape.perEntity(10),
        Shape.perEntity(25),
        Shape.acrossEntities(100),
        new Polls(4, 3));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  @DisplayName("come once each, in order per entity, and one lane owns an entity")
  void inOrder(Shape shape) {
    Workload workload = Workload.of("r", 4, shape);
    Map<String, Long> last = new HashMap<>();
    Map<String, Integer> owner = new HashMap<>();
    Set<String> ids = new HashSet<>();
    for (int lane = 0; lane < 4; lane++) {
      for (List<Event> handOver : workload.lanes().get(lane)) {
        assertTrue(handOver.size() <= Polls.SIZE);
        for (Event event : handOver) {
          assertEquals(last.merge(event.entity(), 1L, Long::sum), event.position());
          assertEquals(owner.computeIfAbsent(event.entity(), e -> -1) < 0, event.position() == 1);
          owner.put(event.entity(), lane);
          assertTrue(ids.add(event.id()));
        }
      }
    }
    assertEquals(workload.total(), ids.size());
    assertEquals(Set.copyOf(workload.entities()), last.keySet());
  }
}
