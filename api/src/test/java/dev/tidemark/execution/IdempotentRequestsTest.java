package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A method that is @Idempotent")
final class IdempotentRequestsTest {
  private final MapRecords records = new MapRecords();
  private final Executions executions = Executions.of("shop", records);

  /** What is bought: its class is in its JSON, where it is declared. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
  interface Plan {}

  /** One of them. */
  record Monthly(String customer) implements Plan {}

  /** Another one. */
  record Yearly(String customer) implements Plan {}

  /** Whose arguments are declared in every way, here or there. */
  interface Buying<Q> {
    @Idempotent(scope = "direct")
    String direct(@Idempotent.Key String key, Plan plan);

    @Idempotent(scope = "listed")
    String listed(@Idempotent.Key String key, List<? extends Plan> plans);

    @Idempotent(scope = "mapped")
    String mapped(@Idempotent.Key String key, Map<String, Set<Plan>> plans);

    @Idempotent(scope = "several")
    String several(@Idempotent.Key String key, Plan... plans);

    @Idempotent(scope = "bound")
    <P extends Plan> String bound(@Idempotent.Key String key, P plan);

    @Idempotent(scope = "generic")
    String generic(List<Q> request, @Idempotent.Key String key);
  }

  /** Which says of what. */
  interface BuyingPlans extends Buying<Plan> {}

  @Test
  @DisplayName("has another request where an argument is of another class")
  void classes() {
    BuyingPlans shop =
        executions.proxy(
            BuyingPlans.class,
            new BuyingPlans() {
              @Override
              public String direct(String key, Plan plan) {
                return "bought " + plan;
              }

              @Override
              public String listed(String key, List<? extends Plan> plans) {
                return "bought " + plans;
              }

              @Override
              public String mapped(String key, Map<String, Set<Plan>> plans) {
                return "bought " + plans;
              }

              @Override
              public String several(String key, Plan... plans) {
                return "bought " + List.of(plans);
              }

              @Override
              public <P extends Plan> String bound(String key, P plan) {
                return "bought " + plan;
              }

              @Override
              public String generic(List<Plan> request, String key) {
                return "bought " + request;
              }
            });
    Map<String, Function<Plan, String>> calls =
        Map.of(
            "direct", plan -> shop.direct("k", plan),
            "listed", plan -> shop.listed("k", List.of(plan)),
            "mapped", plan -> shop.mapped("k", Map.of("a", Set.of(plan))),
            "several", plan -> shop.several("k", plan),
            "bound", plan -> shop.bound("k", plan),
            "generic", plan -> shop.generic(List.of(plan), "k"));
    calls.forEach(
        (name, call) -> {
          String bought = call.apply(new Monthly("ann"));
          assertEquals(bought, call.apply(new Monthly("ann")), name);
          NotExecutedException reused =
              assertThrows(NotExecutedException.class, () -> call.apply(new Yearly("ann")), name);
          assertInstanceOf(Execution.KeyReused.class, reused.execution());
        });
  }

  @Test
  @DisplayName("has a request that is the list of its other arguments")
  void request() {
    Untyped untyped = executions.proxy(Untyped.class, (cart, key, cents) -> "paid");
    assertEquals("paid", untyped.pay("c1", "k1", 25));
    assertEquals(
        ExecutionScene.json().fingerprint(List.<Object>of("c1", 25)).text(),
        records.stored.values().iterator().next().fingerprint());
    Missing missing = executions.proxy(Missing.class, (key, plan) -> "" + plan);
    assertEquals("null", missing.buy("k2", null));
    assertThrows(NotExecutedException.class, () -> missing.buy("k2", new Monthly("ann")));
  }

  /** Whose arguments have no classes. */
  interface Untyped {
    @Idempotent
    String pay(String cart, @Idempotent.Key String key, int cents);
  }

  /** Which takes nothing, too. */
  interface Missing {
    @Idempotent
    String buy(@Idempotent.Key String key, @Nullable Plan plan);
  }
}
