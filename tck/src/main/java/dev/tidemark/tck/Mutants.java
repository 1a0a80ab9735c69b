package dev.tidemark.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Tests the contracts themselves: stores that are wrong in one way each have to fail the contract
 * that is there for it. The wrong stores stand on a sound backend, and their failures are not those
 * of the suite that runs them.
 */
public final class Mutants {
  private static final String PACKAGE = "dev.tidemark.tck.contract.";

  private Mutants() {}

  /**
   * What became of one mutant.
   *
   * @param mutant the defect
   * @param contract the contract that is there for it
   * @param caught whether it failed, and for the right reason
   * @param said what it said
   */
  public record Verdict(String mutant, String contract, boolean caught, String said) {}

  /** Failures of one run. */
  private static final class Failures implements TestExecutionListener {
    private final List<Throwable> causes = new ArrayList<>();
    private int tests;
    private String missing = "";

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
        missing = result.getThrowable().map(Throwable::getMessage).orElse("");
      }
      tests += test.isTest() && result.getStatus() != TestExecutionResult.Status.ABORTED ? 1 : 0;
      result.getThrowable().filter(t -> isFailure(result)).ifPresent(causes::add);
    }

    private static boolean isFailure(TestExecutionResult result) {
      return result.getStatus() == TestExecutionResult.Status.FAILED;
    }
  }

  /**
   * Runs all mutants on one backend, prints one line, writes {@code target/mutants.md}, and closes
   * the backend. A mutant whose contract needs what the backend lacks is left out, and named.
   *
   * @param factory the sound backend
   * @return what became of each that ran
   */
  public static List<Verdict> run(BackendFactory factory) {
    try (Backend sound = factory.open()) {
      List<Mutant> mutants =
          Stream.of(WrongMarks.all(), WrongWrites.all(), WrongRetries.all(), WrongBatches.all())
              .flatMap(List::stream)
              .toList();
      Map<List<String>, Failures> healthy =
          new HashMap<>(); // by contracts: many mutants share them
      List<Verdict> verdicts =
          mutants.stream()
              .flatMap(
                  mutant -> {
                    Failures without =
                        healthy.computeIfAbsent(
                            mutant.contracts(), contracts -> run(sound, mutant));
                    return judge(sound, mutant, without).stream();
                  })
              .toList();
      long caught = verdicts.stream().filter(Verdict::caught).count();
      System.out.println(
          "mutants: " + caught + " of " + verdicts.size() + " caught (" + sound.name() + ")");
      report(sound.name(), verdicts);
      return verdicts;
    }
  }

  /** Writes {@code target/mutants.md} where tests run in a Maven module. */
  private static void report(String name, List<Verdict> verdicts) {
    Path target = Path.of("target");
    if (!Files.isDirectory(target)) {
      return;
    }
    List<String> lines =
        new ArrayList<>(List.of("# Mutants on " + name, "", "| mutant | caught by | saying |"));
    lines.add("|---|---|---|");
    for (Verdict verdict : verdicts) {
      String by = verdict.caught() ? verdict.contract() : "not by " + verdict.contract();
      String said = verdict.said().lines().findFirst().orElse("").replace('|', '/');
      lines.add("| " + verdict.mutant() + " | " + by + " | " + said + " |");
    }
    try {
      Files.write(target.resolve("mutants.md"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<Verdict> judge(Backend sound, Mutant mutant, Failures healthy) {
    if (healthy.tests == 0 && healthy.causes.isEmpty() && !healthy.missing.isEmpty()) {
      System.out.println("mutant left out: " + mutant.name() + " (" + healthy.missing + ")");
      return Optional.empty();
    }
    Failures failures = run(new MutantBackend(sound, mutant), mutant);
    String said =
        failures.causes.isEmpty() ? "nothing" : String.valueOf(failures.causes.get(0).getMessage());
    boolean rightReason =
        failures.causes.stream()
            .anyMatch(
                cause ->
                    cause instanceof AssertionError
                        && String.valueOf(cause.getMessage()).contains(mutant.because()));
    boolean soundHolds = healthy.tests > 0 && healthy.causes.isEmpty();
    return Optional.of(
        new Verdict(
            mutant.name(),
            String.join(", ", mutant.contracts()),
            soundHolds && rightReason,
            soundHolds ? said : "the sound store fails too, or no test ran: " + healthy.causes));
  }

  private static Failures run(Backend backend, Mutant mutant) {
    String name = MutantRuns.open(backend, new Report());
    try {
      Failures failures = new Failures();
      LauncherConfig config =
          LauncherConfig.builder()
              .enableTestExecutionListenerAutoRegistration(false)
              .enableLauncherSessionListenerAutoRegistration(false)
              .enableLauncherDiscoveryListenerAutoRegistration(false)
              .enablePostDiscoveryFilterAutoRegistration(false)
              .build();
      LauncherFactory.create(config).execute(request(name, mutant), failures);
      return failures;
    } finally {
      MutantRuns.close(name);
      backend.faults().heal();
    }
  }

  private static LauncherDiscoveryRequest request(String backend, Mutant mutant) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(
            mutant.contracts().stream()
                .map(contract -> DiscoverySelectors.selectMethod(PACKAGE + contract))
                .toList())
        .filters(EngineFilter.includeEngines("junit-jupiter"))
        .configurationParameter(ContractExtension.BACKEND, backend)
        .build();
  }
}
