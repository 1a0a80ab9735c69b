package dev.tidemark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What became of the deliveries of one batch, and what to tell the transport. Immutable.
 *
 * @param <T> the entity's type
 */
public final class BatchOutcome<T> {
  private final List<Delivery> deliveries;
  private final List<Result<T>> results;

  private BatchOutcome(List<Delivery> deliveries, List<Result<T>> results) {
    this.deliveries = List.copyOf(deliveries);
    this.results = List.copyOf(results);
  }

  static <T> BatchOutcome<T> of(List<Delivery> deliveries, List<Result<T>> results) {
    return new BatchOutcome<>(deliveries, results);
  }

  /**
   * What became of each delivery.
   *
   * @return in the order of the batch
   */
  public List<Result<T>> results() {
    return results;
  }

  /**
   * Whether all may be acknowledged.
   *
   * @return true also for an empty batch
   */
  public boolean isDone() {
    return results.stream().allMatch(Result::isDone);
  }

  /**
   * What to acknowledge one by one, as SQS does.
   *
   * @return the deliveries that are done, in the order of the batch
   */
  public List<Delivery> toAcknowledge() {
    return where(true);
  }

  /**
   * What has to be delivered again, or be decided upon: gaps, refusals, failures, and what was held
   * back behind them.
   *
   * @return the deliveries that are not done, in the order of the batch
   */
  public List<Delivery> toRetry() {
    return where(false);
  }

  private List<Delivery> where(boolean done) {
    List<Delivery> deliveries = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i).isDone() == done) {
        deliveries.add(this.deliveries.get(i));
      }
    }
    return deliveries;
  }

  /**
   * What to commit where a consumer acknowledges by position, as Kafka's do: for each lane the
   * offset of the first delivery that is not done, or the one after the last if all are. Deliveries
   * of a lane have to stand in the batch in the lane's order.
   *
   * @return offsets by lane, of the deliveries that came with one ({@link Delivery#lane(String,
   *     long)})
   */
  public Map<String, Long> toCommit() {
    Map<String, Long> commits = new LinkedHashMap<>();
    Set<String> stopped = new LinkedHashSet<>();
    for (int i = 0; i < results.size(); i++) {
      Delivery delivery = deliveries.get(i);
      OptionalLong offset = delivery.offset();
      if (offset.isPresent() && !stopped.contains(delivery.lane().orElseThrow())) {
        String lane = delivery.lane().orElseThrow();
        boolean done = results.get(i).isDone();
        commits.put(lane, done ? offset.getAsLong() + 1 : offset.getAsLong());
        if (!done) {
          stopped.add(lane);
        }
      }
    }
    return commits;
  }

  /**
   * The outcome of the same batch in two stores: a delivery is done if both say so. The result of
   * one that is not done in either is this one's, else that of the store where it is not done.
   *
   * @param other the outcome of the other store
   * @return both in one
   * @throws IllegalArgumentException if the other is of another batch
   */
  public BatchOutcome<?> and(BatchOutcome<?> other) {
    if (!same(other)) {
      throw new IllegalArgumentException(
          "the other outcome is of another batch: "
              + other.deliveries.size()
              + " deliveries, this one is of "
              + deliveries.size());
    }
    List<Result<Object>> both = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Result<?> chosen = results.get(i).isDone() ? other.results.get(i) : results.get(i);
      @SuppressWarnings("unchecked") // results only give their entity
      Result<Object> any = (Result<Object>) chosen;
      both.add(any);
    }
    return new BatchOutcome<>(deliveries, both);
  }

  private boolean same(BatchOutcome<?> other) {
    boolean same = deliveries.size() == other.deliveries.size();
    for (int i = 0; same && i < deliveries.size(); i++) {
      same = Objects.equals(deliveries.get(i).message(), other.deliveries.get(i).message());
    }
    return same;
  }

  /** Counts what is done, and what is not. */
  @Override
  public String toString() {
    int done = toAcknowledge().size();
    return "BatchOutcome[done=" + done + ", toRetry=" + (results.size() - done) + "]";
  }
}
