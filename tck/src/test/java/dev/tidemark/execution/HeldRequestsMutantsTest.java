package dev.tidemark.execution;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Schedules that hold requests and replies catch")
final class HeldRequestsMutantsTest {
  private static final Path API = Path.of("../api/src/main/java/dev/tidemark");

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    Path source = API.resolve(type + ".java");
    return new SourceMutant(name, source, sound, wrong, HeldRequestsTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        mutant(
            "a claim that counts whenever it is answered",
            "execution/Claims",
            "if (owner.holds()) {",
            "if (owner != null) {",
            "plain"),
        mutant(
            "a lease that counts from the answer",
            "execution/Owner",
            "    lease = asked;",
            "    lease = claims.asked();",
            "renewed"),
        mutant(
            "a heartbeat that counts whenever it is answered",
            "execution/Owner",
            "    requireGoing();\n    save(State.RUNNING, null);\n    hold();",
            "    requireGoing();\n    save(State.RUNNING, null);",
            "renewed"),
        mutant(
            "a step that begins whenever its beginning is answered",
            "execution/Owner",
            "hold();\n    } catch (Throwable e) {\n      if (known",
            "lease.left();\n    } catch (Throwable e) {\n      if (known",
            "asking"),
        mutant(
            "a write of another owner that is written over",
            "execution/Owner",
            "&& ledger.isOwn(found)) {",
            "&& found.owner() != null) {",
            "plain"),
        mutant(
            "a step in doubt that another person's look releases",
            "execution/Commands",
            "seen.equals(found.revision())",
            "!seen.isEmpty()",
            "parking"),
        mutant(
            "a step in doubt that acts again unasked",
            "execution/Owner",
            "if (known != null) {\n      Optional",
            "if (known != null && named.isEmpty()) {\n      Optional",
            "asking"),
        mutant(
            "an interrupt that keeps an end from the store",
            "execution/Owner",
            "      Uninterrupted.run(() -> write(state, result));",
            "      write(state, result);",
            "interrupted"),
        mutant(
            "half of a lease that is none",
            "kernel/Lease",
            "return isMine() && left().multipliedBy(2).compareTo(length) >= 0;",
            "return isMine();",
            "plain"));
  }

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant) throws Exception {
    mutant.assertCaught(folder);
  }
}
