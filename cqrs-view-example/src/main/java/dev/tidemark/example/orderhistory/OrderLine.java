package dev.tidemark.example.orderhistory;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;

/** One line of an {@link OrderView}. Mutable, as the mappers want it; for one thread. */
@DynamoDbBean
public final class OrderLine {
  private String name = "";
  private int quantity;
  private long cents;

  /** For the mappers. */
  public OrderLine() {}

  /**
   * A line.
   *
   * @param name what was ordered
   * @param quantity how many
   * @param cents the price of all of them
   */
  public OrderLine(String name, int quantity, long cents) {
    this.name = name;
    this.quantity = quantity;
    this.cents = cents;
  }

  public String getName() {
    return name;
  }

  public void setName(String name) {
    this.name = name;
  }

  public int getQuantity() {
    return quantity;
  }

  public void setQuantity(int quantity) {
    this.quantity = quantity;
  }

  public long getCents() {
    return cents;
  }

  public void setCents(long cents) {
    this.cents = cents;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OrderLine line
        && name.equals(line.name)
        && quantity == line.quantity
        && cents == line.cents;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, quantity, cents);
  }

  @Override
  public String toString() {
    return quantity + " " + name + " for " + cents;
  }
}
