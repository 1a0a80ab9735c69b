package dev.tidemark.tck.contract;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The life of two entities with every option in the dice, in rounds: each round is a deployment
 * with policies of its own, writes in its own way, and may meet records that other tools have
 * touched. Few messages and few positions, so that most come again. Made of the seed alone.
 */
final class RandomLife {
  /** How many entities it writes. */
  static final int ENTITIES = 2;

  private static final int ROUNDS = 7;
  private static final int HIGHEST = 9;

  /** How the writes of a round are made. */
  enum How {
    /** One by one. */
    ALONE,
    /** By one call. */
    BATCH,
    /** The first one of each entity, in one transaction. */
    TRANSACTION
  }

  /** What another tool does to a live record before a round; none of it takes a memory away. */
  enum Disturbance {
    /** Nothing. */
    NONE,
    /** The revision becomes null. */
    NULL_REVISION,
    /** The revision is taken away. */
    NO_REVISION,
    /** The revision says by its form that who writes has to read first. */
    TEXT_REVISION,
    /** Marks that are not there become null. */
    NULL_MARKS,
    /** A field that nobody knows is added. */
    FOREIGN
  }

  /**
   * One write.
   *
   * @param entity to which entity
   * @param write under some key
   * @param natively whether it is to be in the store's own words, where it has such
   * @param shown what it does
   */
  record Drawn(int entity, Write<View> write, boolean natively, String shown) {
    Write<View> to(EntityKey key) {
      return new Write<>(write.message(), key, write.action(), write.laneOrNull());
    }

    @Override
    public String toString() {
      return "  entity %d, %s%s: %s"
          .formatted(entity, write.message(), natively ? ", natively" : "", shown);
    }
  }

  /**
   * One round.
   *
   * @param tracking what the writers track
   * @param pause how far the clock moves before it
   * @param disturbance what became of the records before it
   * @param how how they are written
   * @param writes in their order
   */
  record Round(
      Tracking tracking, Duration pause, Disturbance disturbance, How how, List<Drawn> writes) {
    /** The same without one of its writes. */
    Round without(int write) {
      List<Drawn> fewer = new ArrayList<>(writes);
      fewer.remove(write);
      return new Round(tracking, pause, disturbance, how, fewer);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      text.append(how).append(" under ").append(tracking).append(", of each type ");
      RandomTracking.NUMBERED.forEach(type -> text.append(tracking.events(type)).append(", "));
      text.append(tracking.events(RandomTracking.TEXTUAL)).append("; after ").append(pause);
      text.append(" and ").append(disturbance);
      writes.forEach(write -> text.append("\n").append(write));
      return text.toString();
    }
  }

  private final Random random;
  private final RandomViewChange changes;
  private Instant now = new MovableClock().instant();

  RandomLife(long seed) {
    this.random = new Random(seed);
    this.changes = new RandomViewChange(random, this::source);
  }

  List<Round> rounds() {
    RandomTracking trackings = new RandomTracking(random);
    List<Round> rounds = new ArrayList<>();
    for (int number = 0; number < ROUNDS; number++) {
      Duration pause =
          switch (random.nextInt(10)) {
            case 0 -> RandomTracking.BURIED.plusSeconds(1); // a tombstone of before has expired
            case 1, 2 -> Duration.ofMinutes(random.nextInt(40));
            default -> Duration.ZERO;
          };
      now = now.plus(pause);
      rounds.add(
          new Round(
              trackings.draw(),
              pause,
              random.nextInt(3) == 0 ? one(Disturbance.values()) : Disturbance.NONE,
              one(How.values()),
              writes()));
    }
    return rounds;
  }

  private <E> E one(E[] of) {
    return of[random.nextInt(of.length)];
  }

  private List<Drawn> writes() {
    List<Drawn> writes = new ArrayList<>();
    int size = 2 + random.nextInt(6);
    for (int i = 0; i < size; i++) {
      writes.add(draw(i == 0 ? 0 : random.nextInt(ENTITIES)));
    }
    return writes;
  }

  private Drawn draw(int entity) {
    Message message = message();
    EntityKey any = EntityKey.key("any");
    Drawn drawn =
        switch (random.nextInt(24)) {
          case 0 -> new Drawn(entity, Write.delete(message, any), false, "delete");
          case 1 -> new Drawn(entity, Write.deleteExisting(message, any), false, "deleteExisting");
          case 2 -> new Drawn(entity, Write.skip(message, any), false, "skip");
          case 3 -> new Drawn(entity, Write.forget(message, any), false, "forget");
          case 4, 5 -> new Drawn(entity, Write.apply(message, any, Views::counted), false, "count");
          case 6 ->
              new Drawn(
                  entity,
                  Write.apply(message, any, View::new, Views::counted),
                  false,
                  "count, creating");
          case 7 ->
              new Drawn(entity, Write.apply(message, any, RandomLife::failing), false, "throw");
          case 8 -> new Drawn(entity, Write.apply(message, any, Views::paid), false, "pay");
          case 9 -> decided(entity, message, any);
          case 10 -> deciding(entity, message, any);
          default -> changed(entity, message, any);
        };
    return random.nextInt(8) > 0
        ? drawn
        : new Drawn(
            drawn.entity(),
            drawn.write().inLane("lane-" + random.nextInt(2)),
            drawn.natively(),
            drawn.shown() + ", in a lane");
  }

  private Drawn changed(int entity, Message message, EntityKey any) {
    Change change = changes.change();
    return new Drawn(
        entity,
        Write.update(message, any, change),
        random.nextInt(5) > 1,
        RandomViewChange.shown(change));
  }

  /** A decision of a view that is there: it refuses, records that alone, or counts. */
  private Drawn decided(int entity, Message message, EntityKey any) {
    int kind = random.nextInt(3);
    Supplier<Decision<View>> refusal = kind == 0 ? Decision::refuse : Decision::skip;
    return new Drawn(
        entity,
        Write.decide(
            message, any, view -> kind == 2 ? Decision.to(Views.counted(view)) : refusal.get()),
        false,
        "decide to " + List.of("refuse", "skip", "count").get(kind));
  }

  /** A decision that creates and publishes, of a view that it may leave as it was. */
  private Drawn deciding(int entity, Message message, EntityKey any) {
    boolean counts = random.nextBoolean();
    OutgoingMessage published = OutgoingMessage.to("views", "d" + random.nextInt(9));
    return new Drawn(
        entity,
        Write.decide(
            message,
            any,
            View::new,
            view -> Decision.to(counts ? Views.counted(view) : view, published)),
        false,
        "decide to publish" + (counts ? " and count" : ""));
  }

  private static View failing(View view) {
    view.setNote("half changed");
    throw new IllegalStateException("poison");
  }

  private Message message() {
    int kind = random.nextInt(12);
    if (kind < 2) {
      return MessageId.of("m-" + random.nextInt(4));
    }
    if (kind < 4) {
      return MessageId.of(new UUID(7, random.nextInt(4)));
    }
    if (kind == 4) {
      Duration age = Duration.ofHours(random.nextInt(20));
      return MessageId.of("sent-" + random.nextInt(3)).sentAt(now.minus(age));
    }
    if (kind == 5) {
      return text(random.nextInt(2), random.nextInt(HIGHEST));
    }
    int position = random.nextInt(HIGHEST);
    return new SourceEvent(
        source(), Position.of(random.nextInt(14) == 0 ? far(position) : position));
  }

  /** A position beyond what every window reaches. */
  private static long far(int position) {
    return 20 + 15L * (position % 3);
  }

  private static SourceEvent text(int id, int position) {
    return new SourceEvent(
        Source.of(RandomTracking.TEXTUAL, "" + id), Position.ofText("p-" + position));
  }

  private Source source() {
    List<String> types = RandomTracking.NUMBERED;
    Source source = Source.of(types.get(random.nextInt(types.size())), "" + random.nextInt(2));
    return random.nextInt(5) == 0 ? source.generation(1 + random.nextInt(2)) : source;
  }

  /** What readers may ask: whether an entity has seen each message that a script may have. */
  static List<Message> everything() {
    Set<Message> all = new LinkedHashSet<>();
    for (int i = 0; i < 4; i++) {
      all.add(MessageId.of("m-" + i));
      all.add(MessageId.of(new UUID(7, i)));
    }
    for (int id = 0; id < 2; id++) {
      for (int position = 0; position < HIGHEST; position++) {
        all.add(text(id, position));
      }
      for (String type : RandomTracking.NUMBERED) {
        for (int generation = 0; generation < 3; generation++) {
          Source source = Source.of(type, "" + id).generation(generation);
          for (int position = 0; position < HIGHEST; position++) {
            all.add(new SourceEvent(source, Position.of(position)));
            all.add(new SourceEvent(source, Position.of(far(position))));
          }
        }
      }
    }
    return List.copyOf(all);
  }
}
