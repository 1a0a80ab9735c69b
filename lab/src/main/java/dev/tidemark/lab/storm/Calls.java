package dev.tidemark.lab.storm;

import static dev.tidemark.Change.change;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Brings parcels to one node. For any number of threads. */
final class Calls {
  private static final String LANE = "log";

  private final Node node;
  private final Projector<Ledger> projector;

  Calls(Node node) {
    this.node = node;
    this.projector =
        Projector.into(node.store())
            .declaring(Effect.class)
            .updating(Effect.OfChange.class, Effect::key, effect -> changing(effect.event()))
            .on(Effect.OfFunction.class, Effect::key, Calls::applied)
            .on(Effect.OfNew.class, Effect::key, Ledger::new, Calls::applied)
            .deleting(Effect.Deleting.class, Effect::key)
            .build();
  }

  /** What became of a parcel, and which of its deliveries have to come again. */
  record Answer(List<Result<Ledger>> results, List<Event> again) {}

  Answer bring(Parcel parcel) {
    return switch (parcel.way()) {
      case UPDATE -> single(parcel, this::update);
      case APPLY -> single(parcel, event -> node.store().write(write(event, true)));
      case NATIVE -> single(parcel, this::natively);
      case QUEUE -> queue(parcel);
      case LOG -> log(parcel);
    };
  }

  private static Answer single(Parcel parcel, Function<Event, Outcome<Ledger>> call) {
    Event event = parcel.events().get(0);
    Result<Ledger> result;
    try {
      result = new Result.Judged<>(call.apply(event));
    } catch (RuntimeException e) {
      result = new Result.Failed<>(e);
    }
    return new Answer(List.of(result), result.isDone() ? List.of() : List.of(event));
  }

  private Outcome<Ledger> update(Event event) {
    return event.deletes()
        ? node.store().delete(event.message(), event.key())
        : node.store().update(event.message(), event.key(), changing(event).returning());
  }

  private Outcome<Ledger> natively(Event event) {
    EntityStore<Ledger> store = node.store();
    return event.deletes()
        ? store.delete(event.message(), event.key())
        : node.natively().apply(event);
  }

  private Answer queue(Parcel parcel) {
    List<Write<Ledger>> writes = new ArrayList<>();
    for (Event event : parcel.events()) {
      writes.add(write(event, event.weight() % 2 == 0));
    }
    List<Result<Ledger>> results = node.store().writeAll(writes);
    List<Event> again = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      if (!results.get(i).isDone()) {
        again.add(parcel.events().get(i));
      }
    }
    return new Answer(results, again);
  }

  private Answer log(Parcel parcel) {
    List<Delivery> deliveries = new ArrayList<>();
    for (Event event : parcel.events()) {
      deliveries.add(Delivery.of(event.message(), Effect.of(event)).lane(LANE, deliveries.size()));
    }
    BatchOutcome<Ledger> outcome = projector.handle(deliveries);
    Map<String, Long> commits = outcome.toCommit();
    int committed = Math.toIntExact(commits.getOrDefault(LANE, 0L));
    return new Answer(
        outcome.results(), parcel.events().subList(committed, parcel.events().size()));
  }

  private static Write<Ledger> write(Event event, boolean function) {
    if (event.deletes()) {
      return Write.delete(event.message(), event.key());
    }
    if (!function || event.revives()) { // only a change revives
      return Write.update(event.message(), event.key(), changing(event));
    }
    return event.creates()
        ? Write.apply(event.message(), event.key(), Ledger::new, row -> applied(row, event))
        : Write.apply(event.message(), event.key(), row -> applied(row, event));
  }

  private static Change changing(Event event) {
    Change change = change().append("journal", event.code()).add("sum", event.weight());
    change = event.creates() ? change.createIfMissing() : change;
    change = event.revives() ? change.recreate() : change;
    return event.kind() == Kind.LIFE ? change.set("life", (long) event.position()) : change;
  }

  private static Ledger applied(Ledger ledger, Effect effect) {
    return applied(ledger, effect.event());
  }

  private static Ledger applied(Ledger ledger, Event event) {
    List<String> journal = new ArrayList<>(ledger.getJournal());
    journal.add(event.code());
    ledger.setJournal(journal);
    ledger.setSum(ledger.getSum() + event.weight());
    if (event.kind() == Kind.LIFE) {
      ledger.setLife(event.position());
    }
    return ledger;
  }
}
