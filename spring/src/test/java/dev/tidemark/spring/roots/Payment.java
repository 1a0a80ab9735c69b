package dev.tidemark.spring.roots;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import org.bson.codecs.pojo.annotations.BsonDiscriminator;
import org.jspecify.annotations.Nullable;

/** An abstract class, whose documents are of its subclasses. */
@Tracked
@InTable("payments")
@BsonDiscriminator
public abstract class Payment {
  private @Nullable String id;
  private int total;

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

  /** It inherits the annotation, and stands in the collection of the class that has it. */
  @BsonDiscriminator
  public static class Card extends Payment {}
}
