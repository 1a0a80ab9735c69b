package dev.tidemark.benchmarks.report;

import dev.tidemark.benchmarks.measure.Round;
import dev.tidemark.benchmarks.stats.Sample;
import java.util.List;
import java.util.stream.IntStream;

/** The table of all techniques. */
public final class Table {
  private static final int[] WIDTHS = {9, 28, 8, 10, 21, 18, 7, 7, 13};

  private Table() {}

  /**
   * All rows.
   *
   * @param rows of the techniques
   * @return the table
   */
  public static Csv of(List<Row> rows) {
    Csv csv =
        Csv.of(
            "store",
            "technique",
            "threads",
            "msg_per_s",
            "requests_per_message",
            "units_per_message",
            "p50_ms",
            "p99_ms",
            "dup_requests",
            "msg_per_s_min",
            "msg_per_s_max",
            "client_cpu_us",
            "server_cpu_us",
            "busy_cores",
            "rounds");
    for (Row row : rows) {
      Sample rate = row.sample(Round::messagesPerSecond);
      csv =
          csv.with(
              row.store(),
              row.technique(),
              row.threads(),
              rate.median(),
              row.requestsPerMessage(),
              row.probe().units() == 0 ? "-" : row.probe().units(),
              row.sample(Round::p50).median(),
              row.sample(Round::p99).median(),
              row.probe().duplicateRequests(),
              rate.min(),
              rate.max(),
              row.sample(Round::clientCpu).median(),
              row.sample(Round::serverCpu).median(),
              row.sample(Round::busyProcessors).median(),
              row.rounds().size());
    }
    return csv;
  }

  /**
   * The columns that matter most, one line per row.
   *
   * @param csv the table
   * @return its lines, the head first
   */
  public static List<String> lines(Csv csv) {
    return IntStream.range(0, csv.size()).mapToObj(line -> csv.padded(line, WIDTHS)).toList();
  }
}
