package dev.tidemark.lab.orders;

import com.mongodb.MongoException;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.local.EventTopics;
import dev.tidemark.example.orderhistory.local.PaymentStub;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The control panel's server: sends events, and makes trouble on purpose. It is there only where
 * {@link Serve} started the service.
 */
@RestController("lab")
final class Lab {
  private static final int MOST_AGAIN = 2_000;
  private static final List<String> OUTCOMES =
      List.of("Applied", "Duplicate", "Stale", "Gap", "Refused", "HeldBack");
  private static final Set<String> READS = Set.of("Fresh", "NotYet");

  private final LabJournal journal;
  private final LabLives lives;
  private final EventTopics topics;
  private final LabTrouble trouble;
  private final LabStage stage;
  private final LabCheck check;
  private final LabBoard board;
  private final PaymentStub payments;
  private final MeterRegistry registry;
  private final Clock clock;

  Lab(
      LabJournal journal,
      LabLives lives,
      EventTopics topics,
      LabTrouble trouble,
      LabStage stage,
      LabCheck check,
      LabBoard board,
      PaymentStub payments,
      MeterRegistry registry,
      Clock clock) {
    this.journal = journal;
    this.lives = lives;
    this.topics = topics;
    this.trouble = trouble;
    this.stage = stage;
    this.check = check;
    this.board = board;
    this.payments = payments;
    this.registry = registry;
    this.clock = clock;
  }

  /**
   * How it goes.
   *
   * @param consumers who has orders
   * @param counters what happened, by name
   * @param waiting events that were sent and are not done
   * @param truth how the views compare with the events that were sent
   * @param twin how views without tracking compare that got the same deliveries
   * @param relay what of the changes of statuses waits, was sent, and has reached the board
   */
  record Status(
      Set<String> consumers,
      Map<String, Long> counters,
      long waiting,
      LabCheck.Result truth,
      LabCheck.Twin twin,
      LabBoard.Status relay) {}

  /**
   * What was sent.
   *
   * @param orderId about which order
   * @param events how many
   * @param notBefore the freshness token of the last one
   */
  record Sent(String orderId, int events, String notBefore) {
    static Sent of(List<Event> events) {
      Event last = events.get(events.size() - 1);
      return new Sent(
          last.orderId(),
          events.size(),
          last.aggregateType() + "/" + last.aggregateId() + "/" + last.version());
    }
  }

  @GetMapping("/api/lab")
  Status status(@RequestParam(defaultValue = "") String consumerId) {
    Moment before = moment();
    LabCheck.Result truth = check.compare();
    boolean still = moment().equals(before); // else the comparison mixes two states
    long waiting = still ? before.waiting() : Math.max(1, before.waiting());
    LabCheck.Twin twin = check.compareTwin(consumerId, YearMonth.now(clock));
    return new Status(journal.consumers(), counters(), waiting, truth, twin, board.status());
  }

  private record Moment(int events, long waiting) {}

  private synchronized Moment moment() {
    return new Moment(journal.size(), topics.waiting() + stage.toCome());
  }

  private Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    Map<String, Long> outcomes = outcomesOfHistory();
    counters.put("deliveries", outcomes.values().stream().mapToLong(Long::longValue).sum());
    for (String outcome : OUTCOMES) {
      Long count = outcomes.remove(outcome);
      counters.put(outcome, count == null ? 0 : count);
    }
    counters.put("others", outcomes.values().stream().mapToLong(Long::longValue).sum());
    counters.put("repeats", sum("tidemark.requests", "kind", "repeat"));
    counters.put("dropped", (long) trouble.dropped());
    counters.put("killed", (long) trouble.killed());
    Counter restarts = registry.find("orderhistory.carrier.restarts").counter();
    counters.put("restarts", restarts == null ? 0 : (long) restarts.count());
    return counters;
  }

  /** Of the order history alone: many events go to the sums of consumers as well. */
  private Map<String, Long> outcomesOfHistory() {
    Map<String, Long> outcomes = new HashMap<>();
    for (Counter counter : registry.find("tidemark.messages").counters()) {
      String store = counter.getId().getTag("store");
      String outcome = counter.getId().getTag("outcome");
      if (store != null && store.contains("order-history") && !READS.contains(outcome)) {
        outcomes.merge(outcome, (long) counter.count(), Long::sum);
      }
    }
    return outcomes;
  }

  private long sum(String name, String tag, String value) {
    return registry.find(name).tag(tag, value).counters().stream()
        .mapToLong(counter -> (long) counter.count())
        .sum();
  }

  @PostMapping("/api/lab/place")
  Sent place(@RequestParam String consumerId) {
    return send(List.of(lives.placed(consumerId, now())));
  }

  /** Lets everything happen, in a few seconds, to the consumer's last order or else a new one. */
  @PostMapping("/api/lab/life")
  Sent life(@RequestParam String consumerId) {
    String last = journal.lastOrder(consumerId);
    OrderCreated order =
        journal.order(
            last != null && journal.isPlacedOnly(last) ? last : place(consumerId).orderId());
    List<Event> rest = lives.rest(order, now(), LabStage.STEP);
    stage.play(rest, this::send);
    return Sent.of(rest);
  }

  /** A new order whose events come in reverse, the one that creates it last. */
  @PostMapping("/api/lab/reorder")
  Sent reorder(@RequestParam String consumerId) {
    OrderCreated order = lives.placed(consumerId, now().minusSeconds(50 * 60));
    List<Event> events = new ArrayList<>();
    events.add(order);
    events.addAll(lives.rest(order, order.at(), Duration.ofMinutes(8)));
    events.add(lives.tip(order, 2, order.at().plusSeconds(45 * 60)));
    Collections.reverse(events);
    return send(events);
  }

  /** Sends the last events once more, as often as it takes. */
  @PostMapping("/api/lab/redeliver")
  Sent redeliver(@RequestParam int count) {
    if (count < 1 || count > MOST_AGAIN) {
      throw new IllegalArgumentException("count must be 1 to " + MOST_AGAIN + ", was " + count);
    }
    List<Event> last = journal.last(count);
    List<Event> again = new ArrayList<>();
    while (again.size() < count) {
      again.addAll(last.subList(0, Math.min(last.size(), count - again.size())));
    }
    topics.send(again);
    return Sent.of(again);
  }

  /** The carrier dies with the next batch, after the write and before the commit. */
  @PostMapping("/api/lab/kill")
  Sent kill(@RequestParam String consumerId) {
    trouble.killNext();
    return place(consumerId);
  }

  /** The relay's process dies by SIGKILL. */
  @PostMapping("/api/lab/relay-kill")
  LabBoard.Status killRelay() {
    board.relay().kill();
    return board.status();
  }

  /** The relay's process is started, unless it runs. */
  @PostMapping("/api/lab/relay-start")
  LabBoard.Status startRelay() {
    board.relay().start();
    return board.status();
  }

  /** The reply to the next batch's first request is lost. */
  @PostMapping("/api/lab/drop")
  Sent drop(@RequestParam String consumerId) {
    trouble.dropNext();
    return place(consumerId);
  }

  /** A tip for the consumer's last order, which the carrier is slow with: to be read back. */
  @PostMapping("/api/lab/tip")
  Sent tip(@RequestParam String consumerId) {
    String last = journal.lastOrder(consumerId);
    OrderCreated order = journal.order(last == null ? place(consumerId).orderId() : last);
    trouble.slowNext();
    return send(List.of(lives.tip(order, journal.nextVersion(order.orderId()), now())));
  }

  /** How often an order was charged, as the payment provider counts. */
  @GetMapping("/api/lab/charges")
  int charges(@RequestParam String orderId) {
    return payments.effects(PaymentStub.CHARGE).getOrDefault(orderId, 0);
  }

  private synchronized Sent send(List<Event> events) {
    events.forEach(journal::add);
    topics.send(events);
    return Sent.of(events);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  @ExceptionHandler({SdkException.class, MongoException.class})
  ProblemDetail away(RuntimeException fault) {
    return ProblemDetail.forStatusAndDetail(
        HttpStatus.SERVICE_UNAVAILABLE, "the store fails: " + fault.getClass().getSimpleName());
  }

  @ExceptionHandler({IllegalArgumentException.class, NoSuchElementException.class})
  ProblemDetail wrong(RuntimeException fault) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, fault.getMessage());
  }
}
