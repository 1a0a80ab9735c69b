package dev.tidemark.projector;

import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.kernel.LaneGate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What became of the deliveries of one batch, and what to tell the transport. Immutable.
 *
 * <p>The results say what each delivery did to its entity. What may be acknowledged also depends on
 * the transport's own order. In a {@linkplain Delivery#lane(String) lane}, which is a partition or
 * a FIFO group, no delivery behind the first one that is not done is acknowledged. Such a delivery
 * comes again together with the undone one and, if it was applied, is a {@link Outcome.Duplicate}
 * then. Deliveries of a lane have to stand in the batch in the lane's order.
 *
 * @param <T> the entity's type
 */
public final class BatchOutcome<T> {
  private final List<Delivery> deliveries;
  private final List<Result<T>> results;
  private final List<Boolean> acknowledged;

  BatchOutcome(List<Delivery> deliveries, List<Result<T>> results) {
    this.deliveries = List.copyOf(deliveries);
    this.results = List.copyOf(results);
    this.acknowledged = acknowledged(this.deliveries, this.results);
  }

  private static List<Boolean> acknowledged(
      List<Delivery> deliveries, List<? extends Result<?>> results) {
    LaneGate<String, Delivery> lanes = new LaneGate<>();
    List<Boolean> acknowledged = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      String lane = deliveries.get(i).lane().orElse(null);
      if (!results.get(i).isDone()) {
        lanes.stop(lane, deliveries.get(i));
      }
      acknowledged.add(results.get(i).isDone() && lanes.ahead(lane) == null);
    }
    return List.copyOf(acknowledged);
  }

  /**
   * The deliveries of the batch.
   *
   * @return in the order of the batch, which is that of {@link #results()}
   */
  public List<Delivery> deliveries() {
    return deliveries;
  }

  /**
   * What became of each delivery, whatever its place in a lane.
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
   * @return the deliveries that are done and behind no other one of their lane that is not, in the
   *     order of the batch
   */
  public List<Delivery> toAcknowledge() {
    return where(true);
  }

  /**
   * What has to be delivered again, or be decided upon: gaps, refusals, failures, what was held
   * back behind them, and all that follows one of these in its lane.
   *
   * @return all that is not {@linkplain #toAcknowledge() to be acknowledged}, in the order of the
   *     batch
   */
  public List<Delivery> toRetry() {
    return where(false);
  }

  private List<Delivery> where(boolean done) {
    return IntStream.range(0, deliveries.size())
        .filter(i -> acknowledged.get(i) == done)
        .mapToObj(deliveries::get)
        .toList();
  }

  /**
   * What to commit where a consumer acknowledges by position, as Kafka's do: for each lane the
   * offset of the first delivery that is not done, or the one after the last if all are.
   *
   * @return offsets by lane, of the deliveries that came with one ({@link Delivery#lane(String,
   *     long)})
   */
  public Map<String, Long> toCommit() {
    Map<String, Long> commits = new LinkedHashMap<>();
    LaneGate<String, Delivery> lanes = new LaneGate<>();
    for (int i = 0; i < results.size(); i++) {
      Delivery delivery = deliveries.get(i);
      String lane = delivery.lane().orElse("");
      boolean done = acknowledged.get(i);
      if (delivery.offset().isPresent() && lanes.ahead(lane) == null) {
        commits.put(lane, delivery.offset().getAsLong() + (done ? 1 : 0));
      }
      if (!done) {
        lanes.stop(lane, delivery);
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
    if (!messages().equals(other.messages())) {
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

  private List<Message> messages() {
    return deliveries.stream().map(Delivery::message).toList();
  }

  /** Counts what is done, and what is not. */
  @Override
  public String toString() {
    int done = toAcknowledge().size();
    return "BatchOutcome[done=" + done + ", toRetry=" + (results.size() - done) + "]";
  }
}
