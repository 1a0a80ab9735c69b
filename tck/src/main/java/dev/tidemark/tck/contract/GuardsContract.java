package dev.tidemark.tck.contract;

import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Revision;
import dev.tidemark.kernel.Verdict;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.ReferenceBackend;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.GUARDS)
@DisplayName("Native guards are held to the kernel's judge")
final class GuardsContract {
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.contiguous().startingAt(0),
          EventPolicy.denseWindow(3),
          EventPolicy.denseWindow(2).givingUpHoles(),
          EventPolicy.sparseWindow(4));
  private static final List<IdPolicy> IDS =
      List.of(IdPolicy.keptFor(Duration.ofHours(4)), IdPolicy.last(3), IdPolicy.forEver());

  /** What the judge alone tells. */
  private static final Set<String> JUDGED = Set.of("Duplicate", "Stale", "Gap", "BeyondHorizon");

  private final Backend backend;
  private final Backend reference = new ReferenceBackend();

  GuardsContract(Backend backend) {
    this.backend = backend;
  }

  private void forRandom(String what, int examples, java.util.function.LongConsumer check) {
    long seed = Sizes.seed();
    System.out.println(what + ": -Dtidemark.seed=" + seed);
    qt().withFixedSeed(seed)
        .withExamples(examples)
        .forAll(longs().all())
        .checkAssert(check::accept);
  }

  @Test
  @DisplayName("for random deliveries under policies that change: the same outcomes, step by step")
  void deliveries() {
    forRandom("random deliveries", Math.max(10, Sizes.examples(backend) / 10), this::deliver);
  }

  private void deliver(long example) {
    Random random = new Random(example);
    Scene scene = new Scene(backend);
    EventPolicy policy = one(random, POLICIES);
    IdPolicy ids = one(random, IDS);
    StringBuilder story = new StringBuilder("example " + example);
    for (int i = 0; i < 60; i++) {
      if (random.nextInt(25) == 0) {
        policy = one(random, POLICIES);
        ids = one(random, IDS);
      }
      scene.clock.move(Duration.ofMinutes(random.nextInt(20)));
      Tracking tracking = Tracking.defaults().events(policy).messageIds(ids);
      story.append('\n').append(policy).append(' ');
      compare(scene, tracking, message(random, i), story);
    }
  }

  private static Message message(Random random, int step) {
    if (random.nextInt(3) == 0) {
      return MessageId.of("m" + Math.max(0, step - random.nextInt(12)));
    }
    long generation = random.nextInt(40) == 0 ? random.nextInt(3) : 0;
    long position = Math.max(0, step / 2 + random.nextInt(9) - 4);
    return SourceEvent.of(
        Source.of("Order", "" + random.nextInt(2)).generation(generation), Position.of(position));
  }

  private static <E> E one(Random random, List<E> of) {
    return of.get(random.nextInt(of.size()));
  }

  @Test
  @DisplayName("for random stored marks, corrupt ones too: the same outcomes and faults")
  void marks() {
    forRandom("random marks", Sizes.examples(backend), this::judge);
  }

  private void judge(long example) {
    Random random = new Random(example);
    Scene scene = new Scene(backend);
    Map<String, Object> record = marks(random);
    Random further = new Random(~example);
    if (further.nextInt(5) > 0) { // else a row that tracking has not written
      record.put("_rev", Revision.newToken());
    }
    if (further.nextInt(6) == 0) {
      record.put("deletedUntil", 4_000_000_000L);
      record.put("_rev", "00112233445566778899aabbccddeeff");
    }
    Set<String> nulls = nulls(further, record);
    for (Backend each : List.of(backend, reference)) {
      each.putRaw(scene.key, record);
      each.putNull(scene.key, nulls);
    }
    StringBuilder story =
        new StringBuilder("example " + example + ": " + record + ", null: " + nulls);
    Tracking tracking =
        Tracking.defaults().events(one(random, POLICIES)).messageIds(one(random, IDS));
    story.append('\n').append(tracking).append(' ');
    for (int i = 0; i < 4; i++) {
      compare(scene, tracking, later(random), story);
    }
  }

  private static Message later(Random random) {
    if (random.nextInt(4) == 0) {
      return MessageId.of("m" + random.nextInt(4));
    }
    Source source = Source.of("Order", "0").generation(random.nextInt(6) == 0 ? 1 : 0);
    Position position =
        random.nextInt(5) == 0
            ? Position.ofText("0" + random.nextInt(9))
            : Position.of(random.nextInt(9));
    return SourceEvent.of(source, position);
  }

  private static Map<String, Object> marks(Random random) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("status", "NEW");
    String mark = "events.Order.0";
    maybe(random, record, mark, mark(random));
    maybe(random, record, mark + "#floor", random.nextInt(8) == 0 ? "04" : (Object) 3L);
    maybe(random, record, mark + "#seen", Set.of((long) random.nextInt(9), 9L + random.nextInt(3)));
    maybe(random, record, mark + "#horizon", (long) random.nextInt(6));
    maybe(random, record, mark + "#generation", 1L);
    maybe(random, record, "messageIDs", Set.of("m" + random.nextInt(4), "m9"));
    if (random.nextInt(3) == 0) {
      record.put("messageIDs#" + (1 + random.nextInt(2)), Set.of("m" + random.nextInt(4)));
      record.put("messageIDs#closed", List.of(1L, 2L));
    }
    return record;
  }

  private static Object mark(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> "04";
      case 1, 2, 3 -> true;
      case 4 -> one(random, List.of(false, List.of(5L), Map.of("x", 5L)));
      default -> (long) random.nextInt(8);
    };
  }

  private static void maybe(Random random, Map<String, Object> record, String name, Object value) {
    if (random.nextInt(5) < 2) {
      record.put(name, value);
    }
  }

  private static Set<String> nulls(Random random, Map<String, Object> record) {
    return record.keySet().stream()
        .filter(name -> !name.equals("status") && random.nextInt(8) == 0)
        .collect(Collectors.toSet());
  }

  /** One delivery to the judge, to the reference and to the store. */
  private void compare(Scene scene, Tracking tracking, Message message, StringBuilder story) {
    String judged = judged(scene, tracking, message);
    String should = answer(reference, scene, tracking, message);
    boolean fresh = JUDGED.stream().noneMatch(should::startsWith);
    if (judged.equals("fresh") ? !fresh : !judged.equals(should)) {
      throw new AssertionError(
          "the reference says " + should + ", the judge " + judged + " at the end of " + story);
    }
    String does = answer(backend, scene, tracking, message);
    story.append(message).append(" -> ").append(should).append("; ");
    if (!should.equals(does)) {
      throw new AssertionError("the store says " + does + " at the end of " + story);
    }
  }

  /** What the judge says over the marks of the reference. */
  private String judged(Scene scene, Tracking tracking, Message message) {
    Names names = Names.flat(tracking);
    Found<View> found =
        reference
            .raw(scene.key)
            .map(record -> new Found<View>(true, record, null))
            .orElse(Found.nothing());
    try {
      return new Verdict(message, tracking, names, scene.clock.instant())
          .ofMarks(found)
          .map(Object::toString)
          .orElse("fresh");
    } catch (TidemarkException | IllegalArgumentException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static String answer(Backend backend, Scene scene, Tracking tracking, Message message) {
    EntityStore<View> store = backend.views(tracking, scene.clock);
    try {
      Outcome<View> outcome = store.update(message, scene.key, Scene.counted());
      String mark = outcome instanceof Outcome.Applied<View> applied ? " " + applied.mark() : "";
      return outcome + mark;
    } catch (TidemarkException | IllegalArgumentException e) {
      return e.getClass().getSimpleName();
    }
  }
}
