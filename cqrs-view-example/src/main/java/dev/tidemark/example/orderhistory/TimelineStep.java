package dev.tidemark.example.orderhistory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;

/** One step of an order's timeline. Mutable, as the mappers want it; for one thread. */
@DynamoDbBean
public final class TimelineStep {
  private String status = "";
  private String at = "";

  /** For the mappers. */
  public TimelineStep() {}

  /**
   * A step.
   *
   * @param status what the order became
   * @param at when, as {@link OrderView#time} writes it
   */
  public TimelineStep(String status, String at) {
    this.status = status;
    this.at = at;
  }

  public String getStatus() {
    return status;
  }

  public void setStatus(String status) {
    this.status = status;
  }

  public String getAt() {
    return at;
  }

  public void setAt(String at) {
    this.at = at;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TimelineStep step && status.equals(step.status) && at.equals(step.at);
  }

  @Override
  public int hashCode() {
    return Objects.hash(status, at);
  }

  @Override
  public String toString() {
    return status + " at " + at;
  }
}
