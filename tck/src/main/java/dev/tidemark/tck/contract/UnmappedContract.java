package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@Contract(Law.OUTCOMES)
@DisplayName("Law 2: what is stored and cannot be mapped is a fault for whoever needs the entity")
final class UnmappedContract {
  private static final String SECRET = "s3cr3t";

  private final Scene scene;
  private final EntityStore<View> store;

  UnmappedContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
    scene.backend.putRaw(scene.key, Map.of("status", "PLACED", "total", SECRET));
  }

  private void assertUnmapped(Executable call) {
    CorruptRecordException fault = assertThrows(CorruptRecordException.class, call);
    assertEquals(Optional.of(scene.key), fault.key());
    assertNamed(fault);
  }

  /** Names the attribute, and no value in any of the texts that a log would show. */
  private static void assertNamed(CorruptRecordException fault) {
    assertTrue(String.valueOf(fault.getMessage()).contains("'total'"), fault::getMessage);
    for (Throwable t = fault; t != null; t = t.getCause()) {
      assertFalse(t.toString().contains(SECRET), t::toString);
    }
  }

  @Test
  @DisplayName("find and apply name the attribute, and nothing is written")
  void needed() {
    assertUnmapped(() -> store.find(scene.key));
    assertUnmapped(() -> store.apply(Some.event(1), scene.key, Views::paid));
    assertUnmapped(() -> store.apply(Some.id(), scene.key, View::new, Views::paid));
    Raw.assertSame(
        Map.of("status", "PLACED", "total", SECRET), scene.raw().orElseThrow(), "after apply");
    Expect.recorded(store.skip(Some.event(1), scene.key));
    assertUnmapped(() -> store.find(scene.key, notBefore(Some.event(1))));
  }

  @Test
  @DisplayName("what was written is Applied, and a redelivery a Duplicate, without the entity")
  void written() {
    MessageId message = Some.id();
    Outcome<View> applied = store.update(message, scene.key, change().set("note", "x").returning());
    assertEquals(Optional.empty(), Expect.applied(applied).entity());
    Outcome<View> again = store.update(message, scene.key, change().set("note", "y").returning());
    assertEquals(Optional.empty(), Expect.duplicate(again).entity());
    Expect.duplicate(store.apply(message, scene.key, Views::paid));
    assertEquals("x", scene.raw().orElseThrow().get("note"));
    Expect.applied(store.update(Some.id(), scene.key, change().set("total", 5)));
    assertEquals(5L, store.find(scene.key).orElseThrow().getTotal());
    Expect.applied(store.delete(Some.id(), scene.key));
  }

  @Test
  @DisplayName("in a batch the functions fail, and the changes and other entities go on")
  void batch() {
    Scene other = new Scene(scene.backend);
    List<Result<View>> results =
        store.writeAll(
            List.of(
                Write.update(Some.id(), scene.key, change().set("note", "x")),
                other.counts(Some.id()),
                Write.apply(Some.id(), scene.key, Views::paid),
                Write.update(Some.id(), scene.key, change().set("note", "y"))));
    Expect.applied(outcome(results.get(0)));
    Expect.applied(outcome(results.get(1)));
    Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, results.get(2));
    assertNamed(assertInstanceOf(CorruptRecordException.class, failed.fault()));
    Expect.applied(outcome(results.get(3)));
    assertEquals("y", scene.raw().orElseThrow().get("note"));
    assertEquals(1, other.count());
  }

  private static Outcome<View> outcome(Result<View> result) {
    if (result instanceof Result.Judged<View> judged) {
      return judged.outcome();
    }
    throw new AssertionError(result.toString());
  }

  @Test
  @DisplayName("a number that the class cannot hold is refused before it is stored")
  void numbers() {
    scene.backend.putRaw(scene.key, Map.of("status", "PLACED", "total", 1));
    Map<String, Object> before = scene.raw().orElseThrow();
    for (Number number :
        List.<Number>of(
            1E+30,
            1.5,
            new BigDecimal("1E+30"),
            new BigDecimal("0.1"),
            BigInteger.ONE.shiftLeft(63),
            BigInteger.ONE.shiftLeft(63).negate().subtract(BigInteger.ONE))) {
      refused(() -> store.update(Some.id(), scene.key, change().set("total", number)));
      refused(() -> store.update(Some.id(), scene.key, change().setIfAbsent("total", number)));
      refused(() -> store.update(Some.id(), scene.key, change().add("total", number)));
    }
    Raw.assertSame(before, scene.raw().orElseThrow(), "after numbers that are too large");
    Expect.applied(store.update(Some.id(), scene.key, change().set("total", Long.MIN_VALUE)));
    Expect.applied(
        store.update(Some.id(), scene.key, change().add("total", BigInteger.valueOf(7))));
    assertEquals(Long.MIN_VALUE + 7, store.find(scene.key).orElseThrow().getTotal());
  }

  private static void refused(Executable call) {
    IllegalArgumentException fault = assertThrows(IllegalArgumentException.class, call);
    assertTrue(String.valueOf(fault.getMessage()).contains("'total'"), fault::getMessage);
  }
}
