package dev.tidemark.projector;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceBackend;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Tracked;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A batch with transactions that comes again and again")
final class TransactionsInBatchesTest {
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(2),
          EventPolicy.denseWindow(1).givingUpHoles(),
          EventPolicy.sparseWindow(1));

  private static final int SEEDS = 5000;
  private static final Pattern NAME = Pattern.compile("name=([^,\\]]*)");

  /** What the projector knows deliveries by, where their transport has another name for them. */
  private static final Map<Message, Message> IDENTITIES = new ConcurrentHashMap<>();

  /** Counts one more in an entity, which it creates. */
  private record Opened(String name, String to) {}

  /** Counts one more in an entity that is there. */
  private record Added(String name, String to) {}

  /** Counts one more in an entity that is there, and in one that it creates. */
  private record Moved(String name, String from, String to) {}

  /** Does nothing. */
  private record Viewed(String name) {}

  private static final Delivery PLACED = Delivery.of(order(1), new Opened("placed", "order"));
  private static final Delivery BILLED =
      Delivery.of(MessageId.of("billed"), new Moved("billed", "order", "account"));

  private static Delivery added(long version) {
    return Delivery.of(order(version), new Added("added " + version, "order"));
  }

  private static Delivery split(long version) {
    return Delivery.of(order(version), new Moved("split " + version, "order", "second order"));
  }

  private static SourceEvent order(long version) {
    return SourceEvent.of("Order", "o1", version);
  }

  /** A projector into an empty store, which fails once for some event. */
  private static final class World {
    private final MovableClock clock = new MovableClock();
    private final ReferenceBackend backend = new ReferenceBackend();
    private final Transactions transactions = backend.transactions(clock);
    private final Tracking tracking;
    private final EntityStore<View> views;
    private final Projector<View> projector;
    private final boolean inLaneOrder;
    private String failing;
    private String seed = "";
    private boolean acknowledges;

    /** Lanes have events of a source in another order than that of their positions. */
    private boolean disordered;

    private int asked;

    World(EventPolicy policy, String failing) {
      this(policy, failing, true, false);
    }

    World(EventPolicy policy, String failing, boolean transacts, boolean inLaneOrder) {
      this.tracking = Tracking.defaults().events("Order", policy);
      this.views = backend.views(tracking, clock);
      this.failing = failing;
      this.inLaneOrder = inLaneOrder;
      ProjectorBuilder<View, Projector<View>> builder =
          Projector.into(views)
              .updating(
                  Opened.class,
                  event -> key(unless("keyed " + event.name(), event.to())),
                  event -> unless(event.name(), change().add("total", 1).createIfMissing()))
              .on(
                  Added.class,
                  event -> key(unless("keyed " + event.name(), event.to())),
                  (view, event) -> counted(view, event.name()))
              .identifiedBy(delivery -> unless("identified " + ++asked, identity(delivery)));
      builder = transacts ? builder.transacting(Moved.class, this::moved) : builder;
      builder = inLaneOrder ? builder.inLaneOrder() : builder;
      this.projector = (policy.isDense() ? builder : builder.ignoring(Viewed.class)).build();
    }

    private View counted(View view, String name) {
      view.setTotal(unless(name, total(view) + 1));
      return view;
    }

    private static long total(View view) {
      Long total = view.getTotal();
      return total == null ? 0 : total;
    }

    private Committed moved(Moved event, Message message) {
      return transactions.commit(
          List.of(
              new Tracked(
                  tracking,
                  Write.update(
                      message, key(event.from()), unless(event.name(), change().add("total", 1)))),
              new Tracked(
                  Tracking.defaults(), // which drops what is late
                  Write.update(
                      message, key(event.to()), change().add("total", 1).createIfMissing()))),
          null);
    }

    private <A> A unless(String name, A value) {
      if (failing.equals(name)) {
        failing = "";
        throw new IllegalStateException("fails once");
      }
      return value;
    }

    /** Until all is done: something is each time. */
    private void handle(List<Delivery> batch, Map<String, Long> totals) {
      String at =
          seed + " " + inLaneOrder + " " + tracking.events("Order") + ", " + failing + ": " + batch;
      int again = 0;
      List<Delivery> left = batch;
      for (BatchOutcome<View> outcome = projector.handle(left);
          !outcome.isDone();
          outcome = projector.handle(left)) {
        assertTrue(again++ < batch.size(), at + outcome.results());
        if (inLaneOrder && !disordered) {
          long done = outcome.results().stream().filter(Result::isDone).count();
          assertEquals(done, outcome.toAcknowledge().size(), at);
        }
        left = acknowledges ? outcome.toRetry() : batch;
      }
      totals.forEach(
          (entity, total) ->
              assertEquals(total, views.find(key(entity)).map(World::total).get(), entity + at));
    }
  }

  /** The same event under a name of its transport's own. */
  private static Delivery carried(Delivery delivery) {
    MessageId name = MessageId.of("carried " + delivery.event());
    IDENTITIES.put(name, delivery.message());
    return new Delivery(name, delivery.event(), delivery.laneOrNull(), delivery.offset());
  }

  private static Message identity(Delivery delivery) {
    return IDENTITIES.getOrDefault(delivery.message(), delivery.message());
  }

  private static Map<String, Long> totals(List<Delivery> batch) {
    Map<String, Long> totals = new HashMap<>();
    for (Delivery delivery : batch) {
      if (delivery.event() instanceof Opened opened) {
        totals.merge(opened.to(), 1L, Long::sum);
      } else if (delivery.event() instanceof Added added) {
        totals.merge(added.to(), 1L, Long::sum);
      } else if (delivery.event() instanceof Moved moved) {
        totals.merge(moved.from(), 1L, Long::sum);
        totals.merge(moved.to(), 1L, Long::sum);
      }
    }
    return totals;
  }

  private static List<List<Delivery>> orders(List<Delivery> deliveries) {
    if (deliveries.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Delivery>> orders = new ArrayList<>();
    for (Delivery first : deliveries) {
      List<Delivery> rest = new ArrayList<>(deliveries);
      rest.remove(first);
      for (List<Delivery> order : orders(rest)) {
        List<Delivery> all = new ArrayList<>(List.of(first));
        all.addAll(order);
        orders.add(all);
      }
    }
    return orders;
  }

  private static void handle(List<Delivery> deliveries, List<String> failing) {
    Map<String, Long> totals = totals(deliveries);
    for (List<Delivery> order : orders(deliveries)) {
      for (EventPolicy policy : POLICIES) {
        failing.forEach(name -> new World(policy, name).handle(order, totals));
      }
    }
  }

  @Test
  @DisplayName("does all of it where an identity cannot be told at first")
  void identified() {
    for (int call = 1; call <= 8; call++) {
      World world = new World(EventPolicy.dropLate(), "identified " + call);
      world.handle(List.of(PLACED, BILLED), Map.of("order", 2L, "account", 1L));
    }
  }

  @Test
  @DisplayName("lets no event pass one that cannot be identified at first, and loses neither")
  void unidentified() {
    List<Delivery> transactions =
        Stream.of(PLACED, split(2), split(3), BILLED).map(it -> carried(it)).toList();
    List<Delivery> single = Stream.of(PLACED, added(2), added(3)).map(it -> carried(it)).toList();
    for (int call = 1; call <= 4; call++) {
      handle(transactions, List.of("identified " + call));
      for (List<Delivery> order : orders(single)) {
        new World(EventPolicy.dropLate(), "identified " + call, false, false)
            .handle(order, totals(single));
      }
    }
  }

  @Test
  @DisplayName("lets no event pass one of its entity that waits for its lane, and loses neither")
  void acrossLanes() {
    List<Delivery> batch =
        List.of(
            Delivery.of(MessageId.of("m1"), new Opened("other", "other")).lane("one"),
            PLACED.lane("one"),
            Delivery.of(order(2), new Opened("placed 2", "order")).lane("two"),
            Delivery.of(order(3), new Opened("placed 3", "order")));
    for (boolean transacts : new boolean[] {false, true}) {
      new World(EventPolicy.dropLate(), "keyed other", transacts, true)
          .handle(batch, totals(batch));
      new World(EventPolicy.sparseWindow(1), "keyed other", transacts, true)
          .handle(batch, totals(batch));
    }
  }

  @Test
  @DisplayName(
      "lets no event pass an earlier one that waits, though it stands in front in its lane")
  void disorder() {
    Delivery unidentified = Delivery.of(MessageId.of("m1"), new Opened("other", "other"));
    List<Delivery> batch =
        List.of(
            PLACED.lane("one"),
            added(3).lane("one"),
            unidentified.lane("one"),
            added(2).lane("one"));
    List<Delivery> twoLanes = new ArrayList<>(batch);
    twoLanes.set(3, added(2).lane("two"));
    for (EventPolicy policy : POLICIES) {
      for (boolean transacts : new boolean[] {false, true}) {
        for (boolean inLaneOrder : new boolean[] {false, true}) {
          World world = new World(policy, "identified 3", transacts, inLaneOrder);
          world.disordered = true;
          world.handle(batch, totals(batch));
        }
        new World(policy, "identified 3", transacts, false).handle(twoLanes, totals(batch));
      }
    }
  }

  @Test
  @DisplayName("waits for no event that does nothing, though that waits for its lane")
  void ignored() {
    List<Delivery> batch =
        List.of(
            BILLED.lane("one"),
            Delivery.of(order(1), new Viewed("viewed")).lane("one"),
            Delivery.of(order(2), new Opened("placed 2", "order")).lane("two"),
            split(3).lane("two"));
    new World(EventPolicy.dropLate(), "", true, true).handle(batch, totals(batch));
  }

  @Test
  @DisplayName("is done in the end whatever is in it, in whatever order and lanes, each event once")
  void anyBatch() {

    for (long seed = 0; seed < SEEDS; seed++) {
      anyBatch(new Random(new Random(seed).nextLong()), "seed " + seed);
    }
  }

  private static void anyBatch(Random random, String at) {
    EventPolicy policy = POLICIES.get(random.nextBoolean() ? 0 : random.nextInt(POLICIES.size()));
    boolean transacts = random.nextBoolean();
    List<Delivery> inOrder = inOrder(random, policy, transacts);
    List<String> lanes = Arrays.asList(null, "one", "two");
    List<Delivery> laned = new ArrayList<>();
    int most = random.nextInt(lanes.size()) + 1;
    for (Delivery delivery : inOrder) {
      String lane = lanes.get(random.nextInt(most));
      Delivery one = lane == null ? delivery : delivery.lane(lane);
      laned.add(random.nextBoolean() ? carried(one) : one);
    }
    List<String> failing = new ArrayList<>(List.of(""));
    for (Delivery delivery : inOrder) {
      Matcher name = NAME.matcher(delivery.event().toString());
      assertTrue(name.find(), at);
      failing.addAll(List.of(name.group(1), "keyed " + name.group(1)));
    }
    List<Delivery> batch = shuffled(laned, random);
    boolean unidentified = random.nextBoolean();
    int place = random.nextInt(batch.size());
    String fails =
        unidentified ? "identified " + (place + 1) : failing.get(random.nextInt(failing.size()));
    World world = new World(policy, fails, transacts, random.nextBoolean());
    List<Delivery> disordered = disordered(batch, world.inLaneOrder, random);
    if (random.nextInt(4) > 0 && !isLate(disordered, place)) {
      world.disordered = true;
      batch = disordered;
    }
    world.seed = at;
    world.acknowledges = random.nextBoolean();
    world.handle(batch, totals(batch));
  }

  /** Events of two sources, and some without one, in an order in which all can be done. */
  private static List<Delivery> inOrder(Random random, EventPolicy policy, boolean transacts) {
    List<Delivery> all = new ArrayList<>(List.of(PLACED));
    Map<String, Integer> versions = new HashMap<>(Map.of("order", 1, "parcel", 0));
    for (int i = random.nextInt(7); i >= 0; i--) {
      String entity = random.nextBoolean() ? "order" : "parcel";
      int version = versions.merge(entity, 1, Integer::sum);
      SourceEvent message = SourceEvent.of("Order", entity.equals("order") ? "o1" : "p1", version);
      String name = entity + " " + version;
      int kind = random.nextInt(4);
      if (version == 1 || kind == 3) {
        all.add(Delivery.of(message, new Opened(name, entity)));
      } else if (kind == 0 && !policy.isDense()) {
        all.add(Delivery.of(message, new Viewed(name)));
      } else if (kind == 1 && transacts) {
        all.add(Delivery.of(message, new Moved(name, entity, "second " + entity)));
      } else if (kind == 2 && transacts) {
        versions.merge(entity, -1, Integer::sum);
        all.add(Delivery.of(MessageId.of("m" + i), new Moved("m" + i, entity, "account")));
      } else {
        all.add(Delivery.of(message, new Added(name, entity)));
      }
    }
    return all;
  }

  /** In any order, but for that of lanes, and of sources that are in lanes. */
  private static List<Delivery> shuffled(List<Delivery> inOrder, Random random) {
    List<Delivery> left = new ArrayList<>(inOrder);
    List<Delivery> shuffled = new ArrayList<>();
    while (!left.isEmpty()) {
      int next = random.nextInt(left.size());
      for (int i = next - 1; i >= 0; i--) {
        next = areInOrder(left.get(i), left.get(next)) ? i : next;
      }
      shuffled.add(left.remove(next));
    }
    return shuffled;
  }

  /** With events of a source exchanged that the store puts in order again. */
  private static List<Delivery> disordered(
      List<Delivery> batch, boolean inLaneOrder, Random random) {
    List<Delivery> disordered = new ArrayList<>(batch);
    for (int i = 0; i < batch.size(); i++) {
      int other = random.nextInt(batch.size());
      Delivery one = disordered.get(i);
      Delivery next = disordered.get(other);
      if (areOfOneSource(one, next)
          && !(one.event() instanceof Viewed || next.event() instanceof Viewed)
          && (!inLaneOrder || areInOneLane(disordered, i, other))) {
        Collections.swap(disordered, i, other);
      }
    }
    return disordered;
  }

  /** Whether two events and those of their source between them are. */
  private static boolean areInOneLane(List<Delivery> batch, int one, int other) {
    Delivery first = batch.get(one);
    return batch.subList(Math.min(one, other), Math.max(one, other) + 1).stream()
        .allMatch(it -> it.lane().equals(first.lane()) || !areOfOneSource(it, first));
  }

  /** Whether a later event of its source is in front of it in its lane, which does not wait. */
  private static boolean isLate(List<Delivery> batch, int place) {
    Delivery late = batch.get(place);
    return late.laneOrNull() != null
        && batch.subList(0, place).stream()
            .anyMatch(
                one ->
                    one.lane().equals(late.lane())
                        && areOfOneSource(one, late)
                        && ((SourceEvent) identity(one)).isLaterThan((SourceEvent) identity(late)));
  }

  private static boolean areInOrder(Delivery one, Delivery other) {
    if (one.laneOrNull() == null && other.laneOrNull() == null) {
      return false;
    }
    return one.lane().equals(other.lane()) || areOfOneSource(one, other);
  }

  private static boolean areOfOneSource(Delivery one, Delivery other) {
    return identity(one) instanceof SourceEvent event
        && identity(other) instanceof SourceEvent later
        && event.source().equals(later.source());
  }

  @Test
  @DisplayName("is done in the end in whatever order, and each event once, though one fails first")
  void anyOrder() {
    handle(
        List.of(PLACED, added(2), split(3), added(4), BILLED),
        List.of("", "placed", "keyed placed", "added 2", "keyed added 2", "split 3", "billed"));
  }

  @Test
  @DisplayName("is so too with two transactions of a source, an entity of which drops what is late")
  void two() {
    handle(List.of(PLACED, split(2), split(3), BILLED), List.of("", "split 2", "split 3"));
  }

  @Test
  @DisplayName("is so too where its transactions are between the events of a source, and not of it")
  void between() {
    handle(
        List.of(PLACED, added(2), added(3), added(4), BILLED),
        List.of("", "placed", "added 2", "keyed added 2", "added 3"));
  }

  @Test
  @DisplayName("lets no more events overtake than a window remembers")
  void crowd() {
    List<Delivery> batch = new ArrayList<>(List.of(PLACED, added(2), BILLED));
    for (int version = 3; version < 50; version++) {
      batch.add(added(version));
    }
    new World(EventPolicy.sparseWindow(1), "added 2").handle(batch, totals(batch));
    Delivery other = Delivery.of(MessageId.of("m1"), new Opened("other", "other"));
    List<Delivery> laned = new ArrayList<>(List.of(other.lane("one"), PLACED.lane("one")));
    for (int version = 2; version < 50; version++) {
      laned.add(Delivery.of(order(version), new Opened("placed " + version, "order")));
    }
    for (boolean transacts : new boolean[] {false, true}) {
      new World(EventPolicy.sparseWindow(1), "keyed other", transacts, true)
          .handle(laned, totals(laned));
    }
  }
}
