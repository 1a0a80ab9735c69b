package dev.tidemark.spring.roots;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import org.jspecify.annotations.Nullable;

/** What several classes have in common, each of which has a table of its own. */
@Tracked
public abstract class Row {
  private @Nullable String id;

  public @Nullable String getId() {
    return id;
  }

  public void setId(@Nullable String id) {
    this.id = id;
  }

  @InTable("customers")
  public static class Customer extends Row {}
}
