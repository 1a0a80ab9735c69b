package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * The random life of one entity, in rounds: changes, functions, deletes and revivals, records
 * without a change, refusals that are recorded, sources of several generations, retired and
 * forgotten ones, under policies and a clock that change from round to round. Few messages and few
 * positions, so that most come again. Made of the seed alone.
 */
final class RandomScript {
  /** How long message IDs and tombstones are kept. */
  static final Duration KEPT = Duration.ofHours(1);

  /**
   * Trackings that one entity may have in turn: an entity outlives its policies. The first is that
   * of scripts whose policies do not change.
   */
  static final List<Tracking> TRACKINGS =
      List.of(
          tracking(EventPolicy.contiguous(), EventPolicy.denseWindow(3), EventPolicy.dropLate()),
          tracking(EventPolicy.denseWindow(6), EventPolicy.contiguous(), EventPolicy.dropLate()),
          tracking(
              EventPolicy.denseWindow(2).givingUpHoles(), EventPolicy.denseWindow(9), sparse()),
          tracking(EventPolicy.dropLate(), sparse(), EventPolicy.contiguous()));

  private static final List<String> TYPES = List.of("One", "Two", "Three");

  private final Random random;
  private final boolean changesPolicies;

  RandomScript(long seed, boolean changesPolicies) {
    this.random = new Random(seed);
    this.changesPolicies = changesPolicies;
  }

  private static EventPolicy sparse() {
    return EventPolicy.sparseWindow(4);
  }

  private static Tracking tracking(EventPolicy one, EventPolicy two, EventPolicy three) {
    return Tracking.defaults()
        .messageIds(IdPolicy.keptFor(KEPT))
        .tombstonesKeptFor(KEPT)
        .events("One", one)
        .events("Two", two)
        .events("Three", three);
  }

  /**
   * One round.
   *
   * @param tracking which of {@link #TRACKINGS} the writers have
   * @param pause how far the clock moves before it
   * @param writes what they write, to one entity, in order
   */
  record Round(int tracking, Duration pause, List<Write<View>> writes) {}

  Round round(EntityKey key, Instant now) {
    int tracking = changesPolicies ? random.nextInt(TRACKINGS.size()) : 0;
    Duration pause =
        switch (random.nextInt(8)) {
          case 0 -> KEPT.plusSeconds(1); // a tombstone of before has expired
          case 1, 2 -> Duration.ofMinutes(random.nextInt(40));
          default -> Duration.ZERO;
        };
    List<Write<View>> writes = new ArrayList<>();
    int size = 1 + random.nextInt(7);
    for (int i = 0; i < size; i++) {
      writes.add(write(key, now.plus(pause)));
    }
    return new Round(tracking, pause, writes);
  }

  /** Message IDs are fewer than what is kept beyond the promise, and so never forgotten. */
  private Message message(Instant now) {
    int kind = random.nextInt(10);
    if (kind < 2) {
      return MessageId.of("m-" + random.nextInt(9));
    }
    if (kind == 2) {
      Duration age = Duration.ofMinutes(random.nextInt(100));
      return MessageId.of("sent-" + random.nextInt(4)).sentAt(now.minus(age));
    }
    int position = random.nextInt(12) == 0 ? 10 + random.nextInt(30) : 1 + random.nextInt(9);
    return new SourceEvent(source(), Position.of(position));
  }

  private Source source() {
    Source source = Source.of(TYPES.get(random.nextInt(TYPES.size())), "" + random.nextInt(2));
    return random.nextInt(5) == 0 ? source.generation(1 + random.nextInt(2)) : source;
  }

  /** One write to one entity. */
  Write<View> write(EntityKey key, Instant now) {
    Message message = message(now);
    return switch (random.nextInt(16)) {
      case 0 -> Write.delete(message, key);
      case 1 -> Write.deleteExisting(message, key);
      case 2 -> Write.skip(message, key);
      case 3 -> Write.forget(message, key);
      case 4, 5 -> Write.apply(message, key, this::lined);
      case 6 -> Write.apply(message, key, View::new, this::lined);
      case 7 -> Write.decide(message, key, View::new, said("d" + random.nextInt(100)));
      case 8 -> Write.apply(message, key, RandomScript::failing);
      case 10 -> Write.apply(message, key, Views::paid);
      case 9 -> Write.update(message, key, change(Scene.counted().recreate()));
      default -> Write.update(message, key, change(Scene.counted()));
    };
  }

  private View lined(View view) {
    List<String> lines = new ArrayList<>(view.getLines() == null ? List.of() : view.getLines());
    lines.add("line");
    view.setLines(lines);
    return Views.counted(view);
  }

  /** A decision that publishes, of a view that it may leave as it was. */
  private Function<View, Decision<View>> said(String text) {
    boolean changes = random.nextBoolean();
    OutgoingMessage message = OutgoingMessage.to("views", text);
    return view -> Decision.to(changes ? lined(view) : view, message);
  }

  private static View failing(View view) {
    view.setNote("half changed");
    throw new IllegalStateException("poison");
  }

  private Change change(Change start) {
    Change change = random.nextInt(4) > 0 ? start : Change.change().add("total", 1);
    change =
        switch (random.nextInt(9)) {
          case 0 -> change.set("status", "S" + random.nextInt(2));
          case 1 -> change.remove("status");
          case 2 -> change.append("lines", "l" + random.nextInt(3));
          case 3 -> change.addToSet("tags", "t" + random.nextInt(3));
          case 4 -> change.removeFromSet("tags", "t" + random.nextInt(3));
          case 5 -> change.set("address.city", "Ulm"); // there is no address
          case 6 -> change.retire(source());
          case 7 -> change.publish("views", "u" + random.nextInt(100));
          default -> change;
        };
    return switch (random.nextInt(6)) {
      case 0 -> change.onlyIf(attribute("status").is("S1"));
      case 1 -> change.onlyIf(attribute("status").is("S1")).otherwiseSkip();
      default -> change;
    };
  }

  /** What readers may ask: whether an entity has seen each message that a script may have. */
  static List<Message> everything() {
    List<Message> all = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      all.add(MessageId.of("m-" + i));
    }
    for (String type : TYPES) {
      for (int id = 0; id < 2; id++) {
        for (int generation = 0; generation < 3; generation++) {
          Source source = Source.of(type, "" + id).generation(generation);
          for (int position = 1; position <= 10; position++) {
            all.add(new SourceEvent(source, Position.of(position)));
          }
        }
      }
    }
    return all;
  }
}
