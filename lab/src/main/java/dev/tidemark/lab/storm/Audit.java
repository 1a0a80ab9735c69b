package dev.tidemark.lab.storm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares what ledgers hold with what the deliveries of their events were told, while no delivery
 * is under way. An event that was told to be applied has its effect once, and one that was not has
 * none. What a deleted ledger held is gone, and counts for nothing. For one thread.
 */
final class Audit {
  private final List<Story> stories;
  private final Set<Event> undone;
  private final Map<String, String> wrong = new HashMap<>();

  /**
   * An audit of all stories.
   *
   * @param undone events that need not have come to an end
   */
  Audit(List<Story> stories, Set<Event> undone) {
    this.stories = stories;
    this.undone = undone;
  }

  /** What is wrong, by the ledger's id and the event's code, with what was told and found. */
  Map<String, String> wrong(Collection<Ledger> ledgers) {
    Map<String, Ledger> byId =
        ledgers.stream().collect(Collectors.toMap(Ledger::getId, Function.identity()));
    for (Story story : stories) {
      Ledger ledger = byId.remove(Event.id(story.ledger()));
      compare(story, ledger);
    }
    byId.keySet().forEach(id -> wrong.put(id, "no event is for it"));
    return wrong;
  }

  private void compare(Story story, @Nullable Ledger ledger) {
    Map<String, Integer> counts = new HashMap<>();
    List<String> journal = ledger == null ? List.of() : ledger.getJournal();
    journal.forEach(code -> counts.merge(code, 1, Integer::sum));
    for (Event event : story.events()) {
      int count = counts.getOrDefault(event.code(), 0);
      counts.remove(event.code());
      if (!expected(story, event).contains(count)) {
        wrong.put(event.id() + "/" + event.code(), event + " took effect " + count + " times");
      }
    }
    String id = Event.id(story.ledger());
    counts.keySet().forEach(code -> wrong.put(id + "/" + code, "never sent"));
    if (ledger != null) {
      whole(id, story, ledger);
    }
    if (story.isDeleted() != (ledger == null) && undone.isEmpty()) {
      wrong.put(id, ledger == null ? "it is missing" : "it should be deleted");
    }
  }

  /** What does not belong to one event: the sum, the life, and the order. */
  private void whole(String id, Story story, Ledger ledger) {
    long sum = ledger.getJournal().stream().mapToLong(Event::weight).sum();
    if (ledger.getSum() != sum) {
      wrong.put(id + "/sum", "the sum is " + ledger.getSum() + ", the journal's is " + sum);
    }
    if (undone.isEmpty() && ledger.getLife() != story.life()) {
      wrong.put(id + "/life", "it is " + ledger.getLife() + ", and should be " + story.life());
    }
    Map<Kind, Integer> last = new HashMap<>();
    Map<String, Event> byCode =
        story.events().stream().collect(Collectors.toMap(Event::code, Function.identity()));
    for (String code : ledger.getJournal()) {
      Event event = byCode.get(code);
      if (event != null && event.kind().isOrdered()) {
        Integer before = last.put(event.kind(), event.position());
        if (before != null && before >= event.position()) {
          wrong.put(id + "/" + code, event + " took effect after " + before);
        }
      }
    }
  }

  /** How often an event may be in the journal. */
  private Set<Integer> expected(Story story, Event event) {
    Told told = event.told();
    if (told.applied() > 1) {
      return Set.of();
    }
    if (told.applied() == 0 && told.unknownInWave() == Told.NEVER) {
      boolean accounted = undone.contains(event) || told.deleted() > 0 || isLate(story, event);
      return accounted ? Set.of(0) : Set.of();
    }
    if (story.isDeleted() || event.deletes()) {
      return Set.of(0);
    }
    return told.applied() == 1 ? ofApplied(story, told) : ofUnknown(story, event);
  }

  /** Whether it was dropped because a later one of its source may have come before. */
  private static boolean isLate(Story story, Event event) {
    return event.told().stale() > 0
        && story.events().stream()
            .anyMatch(
                other ->
                    other.kind() == event.kind()
                        && other.position() > event.position()
                        && other.told().mayBeApplied());
  }

  private static Set<Integer> ofApplied(Story story, Told told) {
    if (told.appliedInWave() != story.lifeEnds()) {
      return Set.of(told.appliedInWave() < story.lifeEnds() ? 0 : 1);
    }
    if (told.appliedInLife() == Told.NEVER) {
      return Set.of(0, 1); // before the delete or after it, the outcome did not say
    }
    return Set.of(Math.max(1, told.appliedInLife()) == story.life() ? 1 : 0);
  }

  private Set<Integer> ofUnknown(Story story, Event event) {
    Told told = event.told();
    if (told.unknownInWave() < story.lifeEnds()) {
      return Set.of(0);
    }
    boolean open =
        told.unknownInWave() <= story.lifeChanges()
            || told.deleted() > 0
            || (told.stale() > 0 && told.duplicate() == 0)
            || undone.contains(event);
    return open ? Set.of(0, 1) : Set.of(1);
  }

  /** Some of what is wrong, to be printed. */
  static List<String> examples(Map<String, String> wrong, Set<String> known) {
    List<String> examples = new ArrayList<>();
    wrong.forEach(
        (what, why) -> {
          if (!known.contains(what) && examples.size() < 5) {
            examples.add(what + ": " + why);
          }
        });
    return examples;
  }
}
