package dev.tidemark.lab.orders;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.RestaurantBoard;
import dev.tidemark.example.orderhistory.Told;
import dev.tidemark.example.orderhistory.local.EventTopics;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.outbox.OutboxRecords;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The consumer of changes of statuses, and how the board compares. For any number of threads. */
final class LabBoard implements AutoCloseable {
  private static final int MOST = 1_000;

  private final Generations generations;
  private final LabJournal journal;
  private final EventTopics topics;
  private final LabRelay relay;
  private final Listeners board;

  /** Begins to consume. */
  LabBoard(Generations generations, LabJournal journal, EventTopics topics, LabRelay relay) {
    this.generations = generations;
    this.journal = journal;
    this.topics = topics;
    this.relay = relay;
    this.board =
        Listeners.open(
                RestaurantBoard.into(generations.board())::handle,
                Map.of(
                    "CARRIER",
                    "kafka",
                    "KAFKA_BOOTSTRAP_SERVERS",
                    topics.bootstrapServers(),
                    "KAFKA_GROUP",
                    EventTopics.BOARD,
                    "KAFKA_TOPICS",
                    String.join(",", EventTopics.STATUSES),
                    "KAFKA_DEAD_LETTER_TOPIC",
                    EventTopics.DEAD_LETTERS))
            .start();
  }

  /**
   * How it goes.
   *
   * @param running whether the relay's process lives
   * @param waiting messages that rows have published and the relay has not taken off
   * @param sent messages that are in the topic, those that were sent twice too
   * @param equal whether the board says what the orders' rows say; only if nothing is on its way
   */
  record Status(boolean running, long waiting, long sent, boolean equal) {}

  Status status() {
    long waiting = generations.outboxes().stream().mapToLong(LabBoard::waiting).sum();
    boolean still = waiting == 0 && topics.waitingFor(EventTopics.BOARD) == 0;
    boolean equal = still && rows().equals(Told.board(generations));
    return new Status(relay.isRunning(), waiting, topics.statuses(), equal);
  }

  private static long waiting(OutboxRecords records) {
    return IntStream.range(0, records.shards())
        .mapToObj(shard -> records.due(shard, Long.MAX_VALUE, MOST))
        .flatMap(found -> found.stream())
        .mapToLong(record -> record.waiting().size())
        .sum();
  }

  /** What the board has to say, by the events that were sent. */
  private Map<String, Long> rows() {
    return journal.orderTruths().entrySet().stream()
        .collect(
            groupingBy(
                order ->
                    journal.order(order.getKey()).restaurant() + " " + order.getValue().status(),
                TreeMap::new,
                counting()));
  }

  LabRelay relay() {
    return relay;
  }

  @Override
  public void close() {
    board.close();
  }
}
