package dev.tidemark.lab.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Mark;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The audit of a storm")
class AuditTest {
  private final Story story = new Story(3);
  private final Ledger ledger = new Ledger();
  private List<Event> events = List.of();

  /** All events of one wave, each of which was told to be applied, and was. */
  @BeforeEach
  void sound() {
    events = story.next(0, new Random(5));
    ledger.setId("ledger-3");
    ledger.setLife(1);
    ledger.setJournal(new ArrayList<>(events.stream().map(Event::code).toList()));
    ledger.setSum(events.stream().mapToLong(Event::weight).sum());
    events.forEach(event -> tell(event, new Outcome.Applied<>(ledger, false, null)));
  }

  private static void tell(Event event, Outcome<Ledger> outcome) {
    event.told().note(0, new Result.Judged<>(outcome));
  }

  private Set<String> wrong() {
    return new Audit(List.of(story), Set.of()).wrong(List.of(ledger)).keySet();
  }

  private Event last(Kind kind) {
    return events.stream().filter(e -> e.kind() == kind).reduce((a, b) -> b).orElseThrow();
  }

  private void lose(Event event) {
    ledger.getJournal().remove(event.code());
    ledger.setSum(ledger.getSum() - event.weight());
  }

  private void add(String code) {
    ledger.getJournal().add(code);
    ledger.setSum(ledger.getSum() + Event.weight(code));
  }

  @Test
  @DisplayName("finds nothing wrong where each effect is there once")
  void nothing() {
    assertEquals(Set.of(), wrong());
  }

  @Test
  @DisplayName("finds an effect that is missing, one that is there twice, and one of no event")
  void effects() {
    Event lost = last(Kind.STOCK);
    lose(lost);
    Event twice = last(Kind.NOTE);
    add(twice.code());
    add("n999");
    assertEquals(
        Set.of("ledger-3/" + lost.code(), "ledger-3/" + twice.code(), "ledger-3/n999"), wrong());
  }

  @Test
  @DisplayName("finds effects of one source in another order, and a sum that is no sum")
  void order() {
    Event late = last(Kind.PRICE);
    ledger.getJournal().remove(late.code());
    ledger.getJournal().add(0, late.code());
    ledger.setSum(0);
    Set<String> wrong = wrong();
    assertTrue(wrong.contains("ledger-3/sum"), wrong.toString());
    assertTrue(wrong.stream().anyMatch(w -> w.startsWith("ledger-3/p")), wrong.toString());
  }

  @Test
  @DisplayName("finds an event that was told to be applied twice, and one that was never told so")
  void told() {
    tell(last(Kind.STEP), new Outcome.Applied<>(ledger, false, null));
    Event fresh = story.next(1, new Random(8)).get(0);
    add(fresh.code());
    tell(fresh, new Outcome.Duplicate<>(ledger, null));
    Set<String> wrong = wrong();
    assertTrue(wrong.contains("ledger-3/" + last(Kind.STEP).code()), wrong.toString());
    assertTrue(wrong.contains("ledger-3/" + fresh.code()), wrong.toString());
  }

  @Test
  @DisplayName("leaves open whether an unknown effect of a late event is there, and of no other")
  void unknown() {
    Event price = last(Kind.PRICE);
    Event stock = last(Kind.STOCK);
    List<Event> fresh = story.next(1, new Random(8));
    for (Event event : fresh) {
      event.told().note(1, new Result.Failed<>(new OutcomeUnknownException("lost", null, null)));
      tell(event, event.kind() == Kind.PRICE ? stale(price) : new Outcome.Duplicate<>(null, null));
      if (event.kind() != Kind.STOCK) {
        add(event.code());
      }
    }
    Set<String> expected = new HashSet<>();
    fresh.stream()
        .filter(event -> event.kind() == Kind.STOCK)
        .forEach(event -> expected.add("ledger-3/" + event.code()));
    assertEquals(expected, wrong());
    assertEquals(1, stock.told().applied());
  }

  private static Outcome<Ledger> stale(Event later) {
    SourceEvent message = (SourceEvent) later.message();
    return new Outcome.Stale<>(null, new Mark(message.source(), message.position()));
  }
}
