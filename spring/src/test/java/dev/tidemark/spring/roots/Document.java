package dev.tidemark.spring.roots;

import dev.tidemark.Tracked;
import dev.tidemark.spring.InTable;
import org.jspecify.annotations.Nullable;

/** An interface, for which the application has a codec. */
@Tracked
@InTable("documents")
public sealed interface Document {
  @Nullable String id();

  record Note(@Nullable String id, String text) implements Document {}

  record Bill(@Nullable String id, int cents) implements Document {}
}
