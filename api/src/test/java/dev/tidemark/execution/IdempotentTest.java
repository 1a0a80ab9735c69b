package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A method that is @Idempotent")
final class IdempotentTest {
  private final Executions executions =
      Executions.builder("shop", new MapRecords()).storing(Declined.class, e -> "declined").build();
  private final Calls calls = new Calls();
  private final Checkouts checkouts = executions.proxy(Checkouts.class, calls);

  /** What it answers. */
  record Receipt(String cart, int cents) {}

  /** A failure for good. */
  static final class Declined extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** The methods. */
  interface Checkouts {
    @Idempotent
    Receipt checkout(String cart, @Idempotent.Key String key, int cents)
        throws IOException, Declined;

    @Idempotent(scope = "mail-v1")
    void mail(@Idempotent.Key String key);

    @Idempotent
    int count(@Idempotent.Key String key);

    int size();
  }

  /** Does what it is asked. */
  private static final class Calls implements Checkouts {
    private final List<String> made = new ArrayList<>();
    private @Nullable Exception fails;

    @Override
    public Receipt checkout(String cart, String key, int cents) throws IOException, Declined {
      made.add("checkout");
      Exception thrown = fails;
      fails = null;
      if (thrown instanceof IOException e) {
        throw e;
      }
      if (thrown instanceof Declined e) {
        throw e;
      }
      return new Receipt(cart, cents);
    }

    @Override
    public void mail(String key) {
      made.add("mail");
    }

    @Override
    public int count(String key) {
      made.add("count");
      return made.size();
    }

    @Override
    public int size() {
      return made.size();
    }

    @Override
    public String toString() {
      return "calls";
    }
  }

  @Test
  @DisplayName("runs once for a key, and then returns its stored result")
  void once() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertEquals(new Receipt("c1", 25), checkouts.checkout("c1", "k1", 25));
      checkouts.mail("k1");
      assertEquals(3, checkouts.count("k1"));
    }
    assertEquals(List.of("checkout", "mail", "count"), calls.made);
    assertEquals(new Receipt("c1", 25), checkouts.checkout("c1", "k2", 25));
    assertEquals(4, checkouts.size());
    assertEquals("calls", checkouts.toString());
  }

  @Test
  @DisplayName("throws what came of it where there is no result")
  void others() throws Exception {
    checkouts.checkout("c1", "k1", 25);
    NotExecutedException reused =
        assertThrows(NotExecutedException.class, () -> checkouts.checkout("c1", "k1", 26));
    assertInstanceOf(Execution.KeyReused.class, reused.execution());
    assertEquals("no result under the key: KeyReused[]", reused.getMessage());

    calls.fails = new Declined();
    for (boolean replayed : new boolean[] {false, true}) {
      NotExecutedException failed =
          assertThrows(NotExecutedException.class, () -> checkouts.checkout("c1", "k2", 25));
      assertEquals(
          new Execution.Failed<>(new StoredFailure("declined"), replayed), failed.execution());
    }
  }

  @Test
  @DisplayName("throws what the method threw, and leaves the key free")
  void thrown() throws Exception {
    IOException broken = new IOException("broken");
    calls.fails = broken;
    assertSame(broken, assertThrows(IOException.class, () -> checkouts.checkout("c1", "k1", 25)));
    assertEquals(new Receipt("c1", 25), checkouts.checkout("c1", "k1", 25));
  }

  @Test
  @DisplayName("is busy while it runs")
  void busy() throws Exception {
    List<Execution<?>> met = new ArrayList<>();
    Checkouts[] self = new Checkouts[1];
    self[0] =
        executions.proxy(
            Checkouts.class,
            new Checkouts() {
              @Override
              public Receipt checkout(String cart, String key, int cents) {
                return new Receipt(cart, cents);
              }

              @Override
              public void mail(String key) {
                met.add(
                    assertThrows(NotExecutedException.class, () -> self[0].mail(key)).execution());
              }

              @Override
              public int count(String key) {
                return 0;
              }

              @Override
              public int size() {
                return 0;
              }
            });
    self[0].mail("k1");
    assertInstanceOf(Execution.InProgress.class, met.get(0));
  }

  /** Without a key. */
  interface Keyless {
    @Idempotent
    String pay(int cents);
  }

  /** Whose key is a number. */
  interface Numbered {
    @Idempotent
    String pay(@Idempotent.Key long key);
  }

  /** With two keys. */
  interface TwoKeys {
    @Idempotent
    String pay(@Idempotent.Key String key, @Idempotent.Key String other);
  }

  /** With a generic result. */
  interface Generic {
    @Idempotent
    Optional<String> pay(@Idempotent.Key String key);
  }

  /** Of one scope. */
  interface Overloaded {
    @Idempotent
    String pay(@Idempotent.Key String key);

    @Idempotent
    String pay(@Idempotent.Key String key, int cents);
  }

  /** Whose method is narrowed. */
  interface Wide {
    Object pay(String key);
  }

  /** Narrows the result, so that javac makes a bridge. */
  interface Narrow extends Wide {
    @Override
    @Idempotent
    String pay(@Idempotent.Key String key);
  }

  /** Whose request is generic. */
  interface Base<Q> {
    String pay(String key, Q request);
  }

  /** Narrows the request. */
  interface Sub extends Base<Integer> {
    @Override
    @Idempotent
    String pay(@Idempotent.Key String key, Integer request);
  }

  /** Has a method that another interface declares idempotent. */
  interface Plain<Q> {
    String pay(String key, Q request);
  }

  /** The same, without a type of its own. */
  interface PlainPay {
    String pay(String key, Integer cents);
  }

  /** Declares it so. */
  interface Once {
    @Idempotent
    String pay(@Idempotent.Key String key, Integer cents);
  }

  /** Has it of both, in two forms. */
  interface Both extends Plain<Integer>, Once {}

  /** Has it of both, in one form. */
  interface PlainFirst extends PlainPay, Once {}

  /** Overrides it without a word of that. */
  interface Silent extends Once {
    @Override
    String pay(String key, Integer cents);

    @Idempotent
    void mail(@Idempotent.Key String key);
  }

  /** Inherits that. */
  interface BelowSilent extends Silent {}

  /** Gives nothing. */
  interface Empty {
    @Idempotent
    @Nullable String pay(@Idempotent.Key @Nullable String key);
  }

  private <T> void assertRefused(Class<T> type, T target, String why) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> executions.proxy(type, target));
    assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.getMessage());
  }

  @Test
  @DisplayName("is refused where its key or its result cannot be told")
  void refused() {
    assertRefused(Keyless.class, cents -> "", "Keyless.pay needs a parameter of type String");
    assertRefused(Numbered.class, key -> "", "Numbered.pay needs a parameter of type String");
    assertRefused(TwoKeys.class, (key, other) -> "", "more than one parameter");
    assertRefused(Generic.class, key -> Optional.empty(), "returns a generic type");
    assertRefused(Runnable.class, () -> {}, "java.lang.Runnable has no method");
    assertRefused(String.class, "", "is not an interface");
    BelowSilent silent =
        new BelowSilent() {
          @Override
          public String pay(String key, Integer cents) {
            return "";
          }

          @Override
          public void mail(String key) {}
        };
    assertRefused(Silent.class, silent, "Once.pay is @Idempotent and overridden without that");
    assertRefused(BelowSilent.class, silent, "Once.pay is @Idempotent and overridden without");
    assertRefused(
        Overloaded.class,
        new Overloaded() {
          @Override
          public String pay(String key) {
            return "";
          }

          @Override
          public String pay(String key, int cents) {
            return "";
          }
        },
        "has the scope of another method");
  }

  @Test
  @DisplayName("has a key, and returns something; where it does not, its key waits for a person")
  void nulls() {
    Empty empty =
        executions.proxy(
            Empty.class,
            key -> {
              calls.made.add("pay");
              return null;
            });
    IllegalStateException none = assertThrows(IllegalStateException.class, () -> empty.pay("k1"));
    assertTrue(String.valueOf(none.getMessage()).contains("Empty.pay returned null"));
    NotExecutedException waits = assertThrows(NotExecutedException.class, () -> empty.pay("k1"));
    assertEquals(new Execution.InDoubt<>(Optional.empty()), waits.execution());
    assertEquals(List.of("pay"), calls.made);
    assertThrows(IllegalArgumentException.class, () -> empty.pay(null));
    assertThrows(IllegalArgumentException.class, () -> empty.pay(""));
  }

  /** Of a scope of their own. */
  private static Executions ofAnotherScope() {
    return Executions.of("other", new MapRecords());
  }

  @Test
  @DisplayName("is one method where it narrows one that its interface inherits")
  void bridges() {
    Narrow narrow =
        executions.proxy(
            Narrow.class,
            key -> {
              calls.made.add("narrow");
              return "paid " + key;
            });
    Wide wide = narrow;
    assertEquals("paid k1", narrow.pay("k1"));
    assertEquals("paid k1", wide.pay("k1"));
    Sub sub =
        ofAnotherScope()
            .proxy(
                Sub.class,
                (key, cents) -> {
                  calls.made.add("sub");
                  return "paid " + cents;
                });
    Base<Integer> base = sub;
    assertEquals("paid 25", base.pay("k2", 25));
    assertEquals("paid 25", sub.pay("k2", 25));
    assertEquals(List.of("narrow", "sub"), calls.made);
  }

  @Test
  @DisplayName("is one method where several interfaces have it")
  void inherited() {
    Both both = executions.proxy(Both.class, this::pay);
    Plain<Integer> plain = both;
    Once once = both;
    assertEquals("paid 1", plain.pay("k1", 25));
    assertEquals("paid 1", once.pay("k1", 25));
    PlainFirst first = ofAnotherScope().proxy(PlainFirst.class, this::pay);
    assertEquals("paid 2", first.pay("k2", 25));
    assertEquals("paid 2", first.pay("k2", 25));
  }

  /** Has a shorter form, which a target need not have, and may. */
  interface WithDefault {
    @Idempotent
    String pay(@Idempotent.Key String key, int cents);

    default String pay(String key) {
      return pay(key, 25);
    }
  }

  @Test
  @DisplayName("runs under its key also where a default method of the interface calls it")
  void byDefault() {
    WithDefault proxy = executions.proxy(WithDefault.class, this::pay);
    assertEquals("paid 1", proxy.pay("k1", 25));
    assertEquals("paid 1", proxy.pay("k1"));
    assertEquals("paid 2", proxy.pay("k2"));
    assertEquals("paid 2", proxy.pay("k2"));
    WithDefault overriding =
        new WithDefault() {
          @Override
          public String pay(String key, int cents) {
            return IdempotentTest.this.pay(key, cents);
          }

          @Override
          public String pay(String key) {
            return "free";
          }
        };
    assertEquals("free", executions.proxy(WithDefault.class, overriding).pay("k1"));
    WithOther other = this::pay;
    assertEquals("other", executions.proxy(WithDefault.class, other).pay("k1"));
    assertEquals("other", executions.proxy(WithOther.class, other).pay("k1"));
  }

  /** Overrides the shorter form by one of its own. */
  interface WithOther extends WithDefault {
    @Override
    default String pay(String key) {
      return "other";
    }
  }

  private String pay(String key, Integer cents) {
    calls.made.add("pay");
    return "paid " + calls.made.size();
  }

  @Test
  @DisplayName("belongs to an object that equals itself")
  void equality() {
    assertTrue(checkouts.equals(checkouts));
    assertFalse(checkouts.equals(executions.proxy(Checkouts.class, new Calls())));
  }
}
