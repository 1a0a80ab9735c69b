package dev.tidemark.spring.shop;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A document in MongoDB, of a class that needs no annotation for it. */
@Tracked
@InTable("spendings")
public class Spending {
  private @Nullable String id;
  private int total;
  private List<Integer> amounts = new ArrayList<>();

  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }

  public int getTotal() {
    return total;
  }

  public void setTotal(int total) {
    this.total = total;
  }

  public List<Integer> getAmounts() {
    return amounts;
  }

  public void setAmounts(List<Integer> amounts) {
    this.amounts = amounts;
  }
}
