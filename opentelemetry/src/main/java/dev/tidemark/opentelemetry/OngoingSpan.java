package dev.tidemark.opentelemetry;

import dev.tidemark.metrics.Ongoing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.function.BiPredicate;

/**
 * A span around what a listener follows, which is the current one wherever work is done for it.
 *
 * @param span not ended yet
 * @param context has that span, and what was current where it began
 * @param teller writes an event into the span, and says whether it is the end
 */
record OngoingSpan<E>(Span span, Context context, BiPredicate<Span, E> teller)
    implements Ongoing<E> {

  static <E> OngoingSpan<E> of(Span span, BiPredicate<Span, E> teller) {
    return new OngoingSpan<>(span, Context.current().with(span), teller);
  }

  @Override
  public void note(E event) {
    boolean over = true;
    try {
      over = teller.test(span, event);
    } finally {
      if (over) {
        span.end();
      }
    }
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // by whoever has the stretch
  public Scope enter() {
    return context.makeCurrent()::close;
  }
}
