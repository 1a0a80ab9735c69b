package dev.tidemark.projector;

import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one delivery of a batch. Its identity and its handler are asked once, so that
 * what fails once fails in the whole batch.
 *
 * @param delivery the delivery
 * @param message that entities remember; null if that could not be told
 * @param doing what the delivery does; null if that could not be told
 * @param fault why something could not be told; null if all could
 * @param behind a delivery that cannot be identified, for which this one waits; null if there is
 *     none
 */
record Told<T>(
    Delivery delivery,
    @Nullable Message message,
    Handlers.@Nullable Doing<T> doing,
    @Nullable RuntimeException fault,
    @Nullable Message behind) {

  /** Whether nothing is to be done, so that the delivery's place in its source does not matter. */
  boolean isIgnored() {
    return doing != null && doing.write() == null && doing.transaction() == null;
  }

  /** Stands for it where nothing but its lane counts. */
  Write<T> alone() {
    return Write.skip(message == null ? delivery.message() : message, nobodys());
  }

  /** A key that no other key equals. */
  static EntityKey nobodys() {
    return EntityKey.key(new Object());
  }

  /**
   * A batch whose events wait for what cannot be identified. That may be an event of any source, at
   * any position. So the events of all sources wait for it, except those in front of it in its
   * lane: the transport has put these before it.
   */
  static <T> List<Told<T>> waiting(List<Told<T>> batch) {
    List<Integer> unidentified =
        IntStream.range(0, batch.size())
            .filter(place -> batch.get(place).message == null)
            .boxed()
            .toList();
    List<Told<T>> waiting = new ArrayList<>(batch);
    for (int undone : unidentified) {
      Delivery first = batch.get(undone).delivery;
      for (int place = 0; place < batch.size(); place++) {
        Told<T> one = waiting.get(place);
        boolean isInFront = place < undone && first.lane().equals(one.delivery.lane());
        boolean waits = one.message instanceof SourceEvent && !one.isIgnored();
        if (waits && one.behind == null && !(isInFront && first.lane().isPresent())) {
          waiting.set(
              place, new Told<>(one.delivery, one.message, one.doing, one.fault, first.message()));
        }
      }
    }
    return waiting;
  }
}
