package dev.tidemark.lab.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.lab.command.StoreOption;
import dev.tidemark.lab.outbox.Broker.Arrival;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@DisplayName("A few messages")
class OutboxTest {
  @ParameterizedTest(name = "arrive from {0} in the case {1}")
  @CsvSource({
    "dynamodb, KILLS",
    "dynamodb, SHARD_SPLIT",
    "dynamodb, ITERATOR_EXPIRED",
    "mongodb, TWO_RELAYS",
    "mongodb, HISTORY_LOST",
    "mongodb, INVALIDATED"
  })
  void arrive(StoreOption store, Case what, @TempDir Path folder) throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);
    Settings settings = new Settings(200, 1, 1, 7);
    try (Place place =
            OutboxCommand.open(store, what, Files.createDirectory(folder.resolve("data")));
        OutboxRun run = new OutboxRun(place, what, settings, folder, out)) {
      OutboxResult result = run.run();
      assertTrue(result.holds(), () -> result.line() + written.toString(StandardCharsets.UTF_8));
      assertTrue(result.published() >= 200, result::line);
    }
  }

  private static Payload payload(int number) {
    return new Payload("order-1", number, 5, true, false);
  }

  @Test
  @DisplayName("are found lost, disordered or nobody's where they are")
  void audited() {
    List<Payload> published = List.of(payload(1), payload(2), payload(3));
    List<Arrival> sound = new ArrayList<>();
    published.forEach(payload -> sound.add(new Arrival("id-" + payload.number(), payload)));
    sound.add(sound.get(0)); // a copy
    Audit audit = new Audit(published, sound);
    assertEquals(0, audit.lost());
    assertEquals(3, audit.distinct());
    assertEquals(List.of(), audit.wrong());
    assertEquals(1, new Audit(published, sound.subList(1, 3)).lost());
    List<Arrival> disordered = List.of(sound.get(1), sound.get(0), sound.get(2));
    assertFalse(new Audit(published, disordered).wrong().isEmpty());
    assertFalse(new Audit(published.subList(0, 2), sound).wrong().isEmpty());
    List<Arrival> twice = List.of(sound.get(0), new Arrival("other", payload(1)));
    assertFalse(new Audit(published, twice).wrong().isEmpty());
  }

  @Test
  @DisplayName("are refused in a case that the store does not have, by naming those that it has")
  void caseOfAnotherStore() {
    StringWriter said = new StringWriter();
    CommandLine command = new CommandLine(new OutboxCommand()).setErr(new PrintWriter(said));
    assertEquals(2, command.execute("--store", "dynamodb", "--case", "history-lost"));
    String wanted = "dynamodb has no case history-lost; it has [kills, broker-down, ";
    assertTrue(said.toString().contains(wanted), said::toString);
  }

  @ParameterizedTest(name = "meet {1} kills in a case like stops where --kills is {0}")
  @CsvSource({"0, 0", "1, 1", "4, 1", "5, 1", "6, 2", "100, 20"})
  void kills(int asked, int some) {
    OutboxCommand command = new OutboxCommand();
    var unused = new CommandLine(command).parseArgs("--kills", "" + asked);
    assertEquals(asked, command.kills(Case.KILLS));
    assertEquals(some, command.kills(Case.STOPS));
  }
}
