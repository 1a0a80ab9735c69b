package dev.tidemark.metrics;

import java.util.function.Supplier;

/** What two listeners follow, each of which is told whatever the other one throws. */
record OngoingPair<E>(Ongoing<E> first, Ongoing<E> second) implements Ongoing<E> {

  /** What a listener follows; one that throws at the beginning throws that when it is told. */
  static <E> Ongoing<E> begun(Supplier<Ongoing<E>> beginning) {
    try {
      return beginning.get();
    } catch (RuntimeException | Error e) {
      return event -> {
        throw e;
      };
    }
  }

  @Override
  public void note(E event) {
    try {
      first.note(event);
    } finally {
      second.note(event);
    }
  }

  @Override
  public Scope enter() {
    return Scope.both(first::enter, second::enter);
  }
}
