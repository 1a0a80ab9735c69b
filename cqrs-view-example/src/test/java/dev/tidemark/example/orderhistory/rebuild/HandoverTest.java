package dev.tidemark.example.orderhistory.rebuild;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Told;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.carrier.KafkaFixture;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.local.Ticking;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A rebuild of rows that publish their statuses")
class HandoverTest {
  private static final int ORDERS = 12;

  private final KafkaFixture kafka = new KafkaFixture();
  private final String name = LocalStore.freshName();
  private final Random random = new Random(3);
  private final List<List<Event>> lives = new ArrayList<>();

  @BeforeEach
  void live() {
    for (int i = 0; i < ORDERS; i++) {
      lives.add(Samples.delivered("order-" + i, "consumer"));
    }
  }

  @AfterEach
  void close() {
    kafka.close();
  }

  private Rebuild rebuild(Generations generations) {
    return new Rebuild(
        new KafkaConsumer<>(Rebuild.settings(KafkaFixture.bootstrapServers())),
        kafka.topics(),
        generations,
        new Ticking());
  }

  /** Some events of all orders. */
  private List<Event> part(int from, int to) {
    return lives.stream().flatMap(life -> life.subList(from, to).stream()).toList();
  }

  private static void handle(Generations generations, int generation, List<Event> events) {
    var deliveries = events.stream().map(Event::delivery).toList();
    assertTrue(new Views(generations.generation(generation)).apply(deliveries).isDone());
  }

  private static Stream<String> orders() {
    return IntStream.range(0, ORDERS).mapToObj(i -> "order-" + i);
  }

  private List<OrderStatusChanged> told(Generations generations) {
    List<OrderStatusChanged> told = Told.take(generations, random);
    Told.bring(generations, told, random);
    return told;
  }

  private void boardSaysWhatRowsSay(Generations generations) {
    assertEquals(Told.rows(generations, orders()), Told.board(generations));
  }

  private Generations open(LocalStore store) {
    Generations generations = store.open(name, Clock.systemUTC(), true);
    generations.prepare(1);
    generations.prepareBoard();
    return generations;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("sends nothing of a history that was told, and goes on from it")
  void sendsNothingAgain(LocalStore store) {
    try (Generations generations = open(store)) {
      kafka.send(part(0, 4));
      handle(generations, 1, part(0, 4));
      assertTrue(told(generations).size() >= ORDERS);
      assertEquals(2, rebuild(generations).run().generation());
      assertEquals(List.of(), told(generations));
      handle(generations, 2, part(4, 6));
      assertTrue(told(generations).stream().allMatch(change -> change.from() != null));
      boardSaysWhatRowsSay(generations);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("tells what a wrong projector had left wrong")
  void mends(LocalStore store) {
    try (Generations generations = open(store)) {
      kafka.send(part(0, 4));
      handle(generations, 1, part(0, 3));
      assertTrue(
          generations
              .generation(1)
              .orders()
              .apply(MessageId.of("wrong"), key("order-3"), HandoverTest::wrong)
              .isApplied());
      assertTrue(told(generations).stream().anyMatch(change -> "CANCELLED".equals(change.to())));
      var unused = rebuild(generations).run();
      List<OrderStatusChanged> told = told(generations);
      assertEquals(ORDERS, told.stream().map(OrderStatusChanged::eventId).distinct().count());
      boardSaysWhatRowsSay(generations);
    }
  }

  private static OrderView wrong(OrderView row) {
    row.status = "CANCELLED";
    return row;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "loses no status, whichever generation writers come to before, at and after a switch")
  void losesNothing(LocalStore store) {
    try (Generations generations = open(store)) {
      kafka.send(part(0, 2));
      handle(generations, 1, part(0, 1));
      List<Event> rest = new ArrayList<>(part(2, 7));
      Collections.shuffle(rest, random);
      int third = rest.size() / 3;
      Runnable atReading = () -> handle(generations, 1, rest.subList(0, third));
      Runnable atSwitch =
          () -> { // some writers know of the switch and some do not
            handle(generations, 1, rest.subList(third / 2, 2 * third));
            handle(generations, 2, rest.subList(third, rest.size() - third / 2));
          };
      kafka.send(rest);
      var unused = rebuild(new Watched(generations, atReading, atSwitch)).run();
      handle(generations, 1, rest); // by a writer that was very late
      handle(generations, 2, rest);
      assertTrue(told(generations).size() >= ORDERS);
      boardSaysWhatRowsSay(generations);
      assertEquals(ORDERS, Told.board(generations).values().stream().mapToLong(n -> n).sum());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("loses no status if it ends in the middle, and is run again")
  void goesOn(LocalStore store) {
    try (Generations generations = open(store)) {
      kafka.send(part(0, 3));
      handle(generations, 1, part(0, 2));
      Runnable crash =
          () -> {
            throw new IllegalStateException("crash");
          };
      Rebuild first = rebuild(new Watched(generations, () -> {}, crash));
      assertThrows(IllegalStateException.class, first::run);
      handle(generations, 2, part(3, 5).subList(0, ORDERS));
      new Handover(
              List.of(generations.generation(1).orders()), generations.generation(2).orders(), 2)
          .take(orders().limit(ORDERS / 2).toList());
      kafka.send(part(3, 6)); // some of it is read by the rebuild before any writer comes to it
      var unused = rebuild(generations).run();
      handle(generations, 2, part(3, 6));
      assertTrue(told(generations).size() >= ORDERS);
      boardSaysWhatRowsSay(generations);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("counts each order once, though an older generation served again in between")
  void afterGoingBack(LocalStore store) {
    try (Generations generations = open(store)) {
      List<Event> old = part(0, 4).subList(0, 4 * ORDERS / 2);
      List<Event> young = part(0, 4).subList(4 * ORDERS / 2, 4 * ORDERS);
      kafka.send(old);
      handle(generations, 1, old);
      assertEquals(2, rebuild(generations).run().generation());
      handle(generations, 2, part(4, 5).subList(0, ORDERS / 2));
      kafka.send(part(4, 5).subList(0, ORDERS / 2));
      generations.serve(1);
      kafka.send(young);
      handle(generations, 1, young); // which speaks for these orders, and not for the others
      assertEquals(3, rebuild(generations).run().generation());
      assertTrue(told(generations).size() >= ORDERS);
      boardSaysWhatRowsSay(generations);
      assertEquals(ORDERS, Told.board(generations).values().stream().mapToLong(n -> n).sum());
    }
  }
}
