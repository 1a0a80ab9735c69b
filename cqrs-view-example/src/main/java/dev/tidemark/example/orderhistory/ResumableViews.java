package dev.tidemark.example.orderhistory;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The views that serve, as the handler of a change stream: they remember how far the stream was
 * read. A token stands for "everything up to here is done", so any token that was ever given may be
 * resumed from, and the greatest is best. Change streams of MongoDB 4.0 and later have tokens that
 * compare as strings in the stream's order (SERVER-29716, DOCS-11616). For one stream.
 */
public interface ResumableViews {
  /**
   * Where to go on after a restart.
   *
   * @return the greatest token that is stored; empty if there is none, and all has to be read
   */
  Optional<String> resumeToken();

  /**
   * Handles a batch. With it the token is stored: in the batch's own writes where the store can do
   * that, else before them. An empty batch stores the token alone.
   *
   * @param deliveries of {@link Event}s, in the stream's order
   * @param token everything up to it was done before this batch; null if no token can say that
   * @return what became of each
   */
  BatchOutcome<?> apply(List<Delivery> deliveries, @Nullable String token);
}
