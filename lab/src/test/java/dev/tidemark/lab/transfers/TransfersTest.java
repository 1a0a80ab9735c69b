package dev.tidemark.lab.transfers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.lab.command.StoreOption;
import dev.tidemark.lab.storm.Settings;
import dev.tidemark.lab.transfers.Bank.Teller;
import dev.tidemark.lab.transfers.Transfer.Told;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A few transfers")
class TransfersTest {
  private static final int ROUNDS = 10;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private TransfersResult run(
      StoreOption store, Path folder, Settings settings, UnaryOperator<Teller> around)
      throws InterruptedException {
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    try (Bank bank = TransfersCommand.open(store, folder);
        Transfers transfers = new Transfers(bank, settings, around, out, Clock.systemUTC())) {
      return transfers.run();
    }
  }

  private String said() {
    return written.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("end with every one of them made once, and every account as it has to be")
  void holds(StoreOption store, @TempDir Path folder) throws Exception {
    TransfersResult result =
        run(store, folder, new Settings(400, 7, ROUNDS), UnaryOperator.identity());
    assertTrue(result.holds(), () -> result.line() + said());
    assertTrue(result.weather().lost() > 0 && result.cuts() > 0, result.line());
  }

  @Test
  @DisplayName("are wrong where one is made again, under another message")
  void twice(@TempDir Path folder) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    TransfersResult result =
        run(
            StoreOption.dynamodb,
            folder,
            new Settings(100, 7, ROUNDS),
            sound ->
                transfer -> {
                  Transfer other = transfer.as(10_000 + calls.incrementAndGet());
                  return calls.get() % 10 == 0 ? sound.bring(other) : sound.bring(transfer);
                });
    assertTrue(result.wrong() > 0, this::said);
  }

  @Test
  @DisplayName("are wrong where one is told made that was not")
  void untrue(@TempDir Path folder) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    TransfersResult result =
        run(
            StoreOption.dynamodb,
            folder,
            new Settings(100, 7, 0),
            sound ->
                transfer -> calls.incrementAndGet() % 10 == 0 ? Told.MADE : sound.bring(transfer));
    assertTrue(result.wrong() > 0, this::said);
  }
}
