package dev.tidemark.tck;

import static dev.tidemark.tck.Mutant.named;

import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Mutants that remember the wrong thing, or for the wrong time. */
final class WrongMarks {
  private static final int WIDTH = 40;

  private WrongMarks() {}

  /** Stores that take a source event for another. */
  private static MutantStore reading(
      dev.tidemark.EntityStore<View> sound, UnaryOperator<SourceEvent> wrong) {
    return new MutantStore(sound) {
      @Override
      Message read(Message message) {
        return message instanceof SourceEvent event ? wrong.apply(event) : message;
      }
    };
  }

  private static SourceEvent asString(SourceEvent event) {
    String digits = event.position().toString();
    String padded = digits + "!".repeat(WIDTH - digits.length());
    return SourceEvent.of(event.source(), Position.ofText(padded));
  }

  private static SourceEvent joined(SourceEvent event) {
    Source source = event.source();
    return SourceEvent.of(
        new Source("any", source.type() + source.id(), source.generation()), event.position());
  }

  private static SourceEvent ofNoGeneration(SourceEvent event) {
    return SourceEvent.of(event.source().generation(0), event.position());
  }

  private static Tracking keptShorter(Tracking tracking) {
    Duration skew = tracking.messageIds().maxSkew();
    return tracking
        .messageIds()
        .keptFor()
        .map(kept -> tracking.messageIds(IdPolicy.keptFor(kept.dividedBy(10)).maxSkew(skew)))
        .orElse(tracking);
  }

  private static Tracking ofNobody(Tracking tracking) {
    return Tracking.defaults().messageIds(tracking.messageIds()).maxSources(tracking.maxSources());
  }

  private static Outcome<View> staleIsDuplicate(Outcome<View> outcome) {
    return outcome instanceof Outcome.Stale<View> stale
        ? new Outcome.Duplicate<>(null, stale.mark())
        : outcome;
  }

  static List<Mutant> all() {
    return List.of(
        named("string-compared marks", "PeersContract#ftgoStrings", "Applied but was Stale")
            .does(sound -> reading(sound, WrongMarks::asString)),
        named("null read as a mark", "NullMarksContract#update", "deletedUntil")
            .takesNullFor(Map.of("deletedUntil", 4_000_000_000L)),
        named("joined names without separator", "PeersContract#ftgoJoins", "was Duplicate")
            .does(sound -> reading(sound, WrongMarks::joined)),
        named("generation ignored", "LateContract#generations", "Applied but was")
            .does(sound -> reading(sound, WrongMarks::ofNoGeneration)),
        named("forgotten pruning", "BoundedIdsContract#sleeping", "ids")
            .tracks(tracking -> tracking.messageIds(IdPolicy.forEver())),
        named("slot forgotten too early", "BoundedIdsContract#skewedClocks", "was Applied")
            .tracks(WrongMarks::keptShorter),
        named("subscribers mixed", "SubscribersContract#eachOnce", "was Duplicate")
            .tracks(WrongMarks::ofNobody),
        named("gap applied", "OutcomesContract#gap", "Gap but was Applied")
            .tracks(tracking -> tracking.events(EventPolicy.dropLate())),
        named("hole given up unasked", "LateContract#holes", "expected")
            .tracks(tracking -> tracking.events(EventPolicy.denseWindow(5).givingUpHoles())),
        named("beyond the horizon applied", "OutcomesContract#beyondHorizon", "was Applied")
            .tracks(Tracking::rebuilding),
        named("bound of sources ignored", "BoundedSourcesContract#maxSources", "TooLarge")
            .tracks(tracking -> tracking.maxSources(100_000)),
        named("bound of sources some writes late", "MostSourcesContract#folds", "TooLarge")
            .tracks(tracking -> tracking.maxSources(tracking.maxSources() + 8)),
        named("window taken for a plain mark", "MarkTypesContract#windowOverPlain", "was Stale")
            .tracks(tracking -> tracking.events(EventPolicy.dropLate())),
        named("first touch taken for a creation", "FirstTouchContract#update", "expected: <false>")
            .does(
                sound ->
                    new MutantStore(sound) {
                      @Override
                      Outcome<View> read(Outcome<View> outcome) {
                        return outcome instanceof Outcome.Applied<View> applied
                            ? new Outcome.Applied<>(null, true, applied.markOrNull())
                            : outcome;
                      }
                    }),
        named("expiry ignored", "DeletesContract#expired", "expected")
            .tells(clock -> Clock.fixed(clock.instant(), clock.getZone())),
        named("dropped late event read as duplicate", "OutcomesContract#duplicateAndStale", "Stale")
            .does(
                sound ->
                    new MutantStore(sound) {
                      @Override
                      Outcome<View> read(Outcome<View> outcome) {
                        return staleIsDuplicate(outcome);
                      }
                    }));
  }
}
