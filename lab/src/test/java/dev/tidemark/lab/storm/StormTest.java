package dev.tidemark.lab.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.lab.command.StoreOption;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A small storm")
class StormTest {
  private static final int ROUNDS = 10;
  private static final int ONE_IN = 10;
  private static final Settings SMALL = new Settings(400, 7, ROUNDS);

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final AtomicInteger calls = new AtomicInteger();

  private StormResult run(
      StoreOption store, Path folder, Settings settings, UnaryOperator<EntityStore<Ledger>> around)
      throws InterruptedException {
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    try (Place place = StormCommand.open(store, folder);
        Storm storm = new Storm(place, settings, around, out, Clock.systemUTC())) {
      return storm.run();
    }
  }

  private String said() {
    return written.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("ends with every event done, and every effect as often as it was told")
  void holds(StoreOption store, @TempDir Path folder) throws Exception {
    Settings settings = new Settings(1_500, 7, ROUNDS);
    StormResult result = run(store, folder, settings, UnaryOperator.identity());
    assertTrue(result.holds(), said());
    assertTrue(result.tally().deliveries() >= settings.deliveries(), result.line());
    assertTrue(result.weather().lost() > 0, result.line());
  }

  @Test
  @DisplayName("is wrong where a store changes an entity without a guard, once in some calls")
  void unguarded(@TempDir Path folder) throws Exception {
    StormResult result = run(StoreOption.dynamodb, folder, SMALL, sound -> wrong(sound, "update"));
    assertTrue(result.wrong() > 0, said());
  }

  @Test
  @DisplayName("is wrong where a store tells of effects that it did not have, once in some calls")
  void untrue(@TempDir Path folder) throws Exception {
    StormResult result =
        run(StoreOption.dynamodb, folder, SMALL, sound -> wrong(sound, "writeAll"));
    assertTrue(result.wrong() > 0, said());
  }

  @Test
  @DisplayName("tells what is not done where nothing is delivered again")
  void once(@TempDir Path folder) throws Exception {
    Settings settings = new Settings(400, 7, 0);
    StormResult result = run(StoreOption.dynamodb, folder, settings, UnaryOperator.identity());
    assertTrue(result.undone() > 0, said());
    assertEquals(0, result.wrong(), said());
  }

  @SuppressWarnings("unchecked") // the methods are the interface's own
  private EntityStore<Ledger> wrong(EntityStore<Ledger> sound, String methodName) {
    return (EntityStore<Ledger>)
        Proxy.newProxyInstance(
            StormTest.class.getClassLoader(),
            new Class<?>[] {EntityStore.class},
            (proxy, method, arguments) -> {
              boolean now =
                  method.getName().equals(methodName) && calls.getAndIncrement() % ONE_IN == 0;
              if (now && methodName.equals("writeAll")) {
                return untrue((List<Write<Ledger>>) arguments[0]);
              }
              if (now) {
                unguarded(sound, arguments);
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Makes a change that its message does not guard, since it goes by another. */
  private static void unguarded(EntityStore<Ledger> sound, Object... arguments) {
    Object key = arguments[1];
    Object change = arguments[2];
    if (key instanceof EntityKey of && change instanceof Change what) {
      var unused = sound.update(MessageId.of(UUID.randomUUID()), of, what);
    }
  }

  private static List<Result<Ledger>> untrue(List<Write<Ledger>> writes) {
    return writes.stream().map(write -> done(new Outcome.Applied<>(null, false, null))).toList();
  }

  private static Result<Ledger> done(Outcome<Ledger> outcome) {
    return new Result.Judged<>(outcome);
  }
}
