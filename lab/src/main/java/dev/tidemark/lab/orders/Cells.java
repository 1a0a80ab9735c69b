package dev.tidemark.lab.orders;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs carriers, on stores, under faults: each a cell. Cells that mostly wait run beside those that
 * work.
 */
final class Cells {
  private static final int WAITING_AT_ONCE = 5;

  private final Options options;
  private final PrintStream out;
  private final Clock clock;
  private final AtomicInteger finished = new AtomicInteger();

  Cells(Options options, PrintStream out, Clock clock) {
    this.options = options;
    this.out = out;
    this.clock = clock;
  }

  private List<Cell> chosen() {
    List<Cell> cells = new ArrayList<>();
    for (Fault fault : options.faults()) {
      for (String carrier : options.carriers()) {
        for (String store : options.stores()) {
          if (fault.happensTo(carrier)) {
            cells.add(new Cell(carrier, store, fault));
          }
        }
      }
    }
    return cells;
  }

  /** Runs what was chosen, and reports it; tells whether all is as promised. */
  boolean run(Path folder) throws Exception {
    List<Cell> cells = chosen();
    if (cells.isEmpty()) {
      out.println("none of these faults happens to that carrier");
      return false;
    }
    Optional<String> missing = Servers.missingFor(cells);
    if (missing.isPresent()) {
      out.println(missing.get());
      return false;
    }
    try (Servers servers = new Servers(folder)) {
      out.printf(
          "%d runs of %d orders each, seed %d%n", cells.size(), options.orders(), options.seed());
      List<CellResult> results = run(cells, servers);
      report(results);
      return results.stream().allMatch(CellResult::holds);
    }
  }

  /** Runs cells, and tells their results in the same order. */
  List<CellResult> run(List<Cell> cells, Servers servers) throws Exception {
    ExecutorService working =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    ExecutorService waiting = Executors.newFixedThreadPool(WAITING_AT_ONCE);
    try {
      List<Future<CellResult>> futures = new ArrayList<>();
      for (Cell cell : cells) {
        Callable<CellResult> task = () -> run(cell, servers, cells.size());
        futures.add((cell.fault().waits() ? waiting : working).submit(task));
      }
      List<CellResult> results = new ArrayList<>();
      for (Future<CellResult> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a cell could not be run", e.getCause());
    } finally {
      working.shutdownNow();
      waiting.shutdownNow();
    }
  }

  private CellResult run(Cell cell, Servers servers, int all) throws InterruptedException {
    CellResult result = result(cell, servers);
    synchronized (out) {
      out.printf(
          "  %2d/%d %-40s %5.1f s  %s%n",
          finished.incrementAndGet(),
          all,
          cell.name(),
          result.took().toMillis() / 1000.0,
          result.holds() ? "holds" : "FAILS");
      result.problems().forEach(problem -> out.println("        " + problem));
      result.wrong().stream()
          .limit(3)
          .forEach(wrong -> out.println("        " + wrong.row() + ": " + wrong.difference()));
    }
    return result;
  }

  private CellResult result(Cell cell, Servers servers) throws InterruptedException {
    try {
      return servers.run(cell, options, true, clock);
    } catch (RuntimeException e) {
      return CellResult.notRun(cell, e);
    }
  }

  private void report(List<CellResult> results) {
    out.println();
    out.println(CellResult.tableHead());
    results.forEach(result -> out.println(result.tableRow()));
    out.println();
    results.forEach(result -> out.println(result.line()));
    long failed = results.stream().filter(result -> !result.holds()).count();
    out.printf("%n%d of %d hold%n", results.size() - failed, results.size());
  }
}
