package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Interfaces with idempotent methods of one name")
final class ProxiedInterfacesTest {
  private final Executions executions = Executions.of("shop", new MapRecords());
  private final List<String> made = new ArrayList<>();

  /** Pays. */
  interface Payments {
    @Idempotent
    String execute(@Idempotent.Key String key, int cents);
  }

  /** Pays back. */
  interface Refunds {
    @Idempotent
    String execute(@Idempotent.Key String key, int cents);
  }

  /** Pays back under a scope of its own. */
  interface ScopedRefunds {
    @Idempotent(scope = "refund")
    String execute(@Idempotent.Key String key, int cents);
  }

  /** Pays, and more. */
  interface MorePayments extends Payments {
    void close();
  }

  /** What a bus knows. */
  interface Handler<C> {
    Object handle(String key, C command);
  }

  /** A command. */
  record Pay(int cents) {}

  /** Another one. */
  record Refund(int cents) {}

  /** Has an overload in front that fits the compiler's bridge as well. */
  interface Overloaded extends Handler<Pay> {
    String handle(String key, Refund refund);

    @Override
    @Idempotent
    String handle(@Idempotent.Key String key, Pay pay);
  }

  /** Has it behind. */
  interface OverloadedBehind extends Handler<Pay> {
    @Override
    @Idempotent
    String handle(@Idempotent.Key String key, Pay pay);

    String handle(String key, Refund refund);
  }

  private String done(String what) {
    made.add(what);
    return what + made.size();
  }

  @Test
  @DisplayName(
      "have no keys in common: the second one is refused, unless it has a scope of its own")
  void apart() {
    Payments payments = executions.proxy(Payments.class, (key, cents) -> done("paid"));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> executions.proxy(Refunds.class, (key, cents) -> done("refunded")));
    assertTrue(String.valueOf(refused.getMessage()).contains(Payments.class.getName()));
    assertThrows(
        IllegalArgumentException.class,
        () -> executions.within(() -> 9_000).proxy(Refunds.class, (key, cents) -> done("")));
    ScopedRefunds refunds = executions.proxy(ScopedRefunds.class, (key, cents) -> done("refunded"));
    assertEquals("paid1", payments.execute("order-1", 5));
    assertEquals("refunded2", refunds.execute("order-1", 5));
  }

  @Test
  @DisplayName("are one where they are the same, or one extends the other")
  void related() {
    Payments payments = executions.proxy(Payments.class, (key, cents) -> done("paid"));
    Payments again = executions.within(() -> 9_000).proxy(Payments.class, (key, cents) -> done(""));
    MorePayments more =
        executions.proxy(
            MorePayments.class,
            new MorePayments() {
              @Override
              public String execute(String key, int cents) {
                return done("more");
              }

              @Override
              public void close() {}
            });
    assertEquals("paid1", payments.execute("order-1", 5));
    assertEquals("paid1", again.execute("order-1", 5));
    assertEquals("paid1", more.execute("order-1", 5));
  }

  /** Has what it inherits. */
  interface WebPayments extends Payments {}

  /** Has it, too. */
  interface BatchPayments extends Payments {}

  /** What handlers of commands inherit. */
  interface Commands<C> {
    @Idempotent(scope = "command")
    String handle(@Idempotent.Key String key, C command);
  }

  /** Has it for one command. */
  interface PayCommands extends Commands<Pay> {}

  /** Has it for another. */
  interface RefundCommands extends Commands<Refund> {}

  /** Has a free scope, and one that is taken. */
  interface HalfTaken {
    @Idempotent
    String another(@Idempotent.Key String key);

    @Idempotent
    String execute(@Idempotent.Key String key, int cents);
  }

  /** Has the free one. */
  interface Another {
    @Idempotent
    String another(@Idempotent.Key String key);
  }

  @Test
  @DisplayName("have the keys of a method that they inherit, unless it is generic")
  void inherited() {
    WebPayments web = executions.proxy(WebPayments.class, (key, cents) -> done("web"));
    BatchPayments batch = executions.proxy(BatchPayments.class, (key, cents) -> done("batch"));
    assertEquals("web1", web.execute("order-1", 5));
    assertEquals("web1", batch.execute("order-1", 5));
    PayCommands unused = executions.proxy(PayCommands.class, (key, pay) -> done("paid"));
    assertThrows(
        IllegalArgumentException.class,
        () -> executions.proxy(RefundCommands.class, (key, refund) -> done("refunded")));
  }

  @Test
  @DisplayName("take no scope where they are refused")
  void refused() {
    Payments unused = executions.proxy(Payments.class, (key, cents) -> done("paid"));
    HalfTaken target =
        new HalfTaken() {
          @Override
          public String another(String key) {
            return done("another");
          }

          @Override
          public String execute(String key, int cents) {
            return done("executed");
          }
        };
    assertThrows(IllegalArgumentException.class, () -> executions.proxy(HalfTaken.class, target));
    Another another = executions.proxy(Another.class, key -> done("another"));
    assertEquals("another1", another.another("order-1"));
  }

  @Test
  @DisplayName("are called by a generic parent as by themselves, whatever overloads they have")
  void overloads() {
    Handler<Pay> inFront =
        executions.proxy(
            Overloaded.class,
            new Overloaded() {
              @Override
              public String handle(String key, Refund refund) {
                return done("refunded");
              }

              @Override
              public String handle(String key, Pay pay) {
                return done("paid");
              }
            });
    Handler<Pay> behind =
        Executions.of("other", new MapRecords())
            .proxy(
                OverloadedBehind.class,
                new OverloadedBehind() {
                  @Override
                  public String handle(String key, Refund refund) {
                    return done("refunded");
                  }

                  @Override
                  public String handle(String key, Pay pay) {
                    return done("paid");
                  }
                });
    for (Handler<Pay> handler : List.of(inFront, behind)) {
      Object first = handler.handle("order-1", new Pay(5));
      assertEquals(first, handler.handle("order-1", new Pay(5)));
    }
    assertEquals(List.of("paid", "paid"), made);
  }
}
