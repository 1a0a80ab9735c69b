package dev.tidemark.kernel;

import dev.tidemark.metrics.Ongoing;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Calls one listener, and keeps its exceptions from the caller. An exception of a listener must not
 * change what a call does, so the first one is logged, and none is thrown on. For many threads.
 */
public final class Telling {
  private final System.Logger logger;
  private final String listener;
  private final AtomicBoolean complained = new AtomicBoolean();

  /**
   * What tells a listener.
   *
   * @param type of the listener, under whose name its failures are logged
   * @param listener whose it is, as the subject of a sentence
   */
  public Telling(Class<?> type, String listener) {
    this.logger = System.getLogger(type.getName());
    this.listener = listener;
  }

  /**
   * Tells the listener that something begins.
   *
   * @param beginning asks the listener
   * @param <E> what it is told
   * @return what it follows; throws nothing
   */
  public <E> Ongoing<E> begin(Supplier<Ongoing<E>> beginning) {
    try {
      return new Safe<>(Objects.requireNonNull(beginning.get(), "what a listener follows"));
    } catch (Throwable e) {
      complain(e);
      return event -> {};
    }
  }

  /**
   * Tells the listener that a stretch of work begins.
   *
   * @param beginning asks the listener
   * @return the stretch; throws nothing
   */
  public Ongoing.Scope enter(Supplier<Ongoing.Scope> beginning) {
    try {
      Ongoing.Scope scope = Objects.requireNonNull(beginning.get(), "the scope of a listener");
      return scope == Ongoing.Scope.NONE ? scope : () -> attempt(scope::close);
    } catch (Throwable e) {
      complain(e);
      return Ongoing.Scope.NONE;
    }
  }

  private void complain(Throwable e) {
    if (complained.compareAndSet(false, true)) {
      logger.log(
          System.Logger.Level.WARNING, listener + " failed; further failures are not logged", e);
    }
  }

  private void attempt(Runnable part) {
    try {
      part.run();
    } catch (Throwable e) {
      complain(e);
    }
  }

  private final class Safe<E> implements Ongoing<E> {
    private final Ongoing<E> ongoing;

    Safe(Ongoing<E> ongoing) {
      this.ongoing = ongoing;
    }

    @Override
    public void note(E event) {
      attempt(() -> ongoing.note(event));
    }

    @Override
    public Scope enter() {
      return Telling.this.enter(ongoing::enter);
    }
  }
}
