package dev.tidemark.intake;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EventPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An intake")
final class IntakeTest {
  /** A carrier's message: its text names an entity and a number, unless it is broken. */
  private record Mail(String id, @Nullable String lane, String text) {}

  private final ReferenceStore<CountedRow> rows =
      ReferenceStore.of(
          new CountedRow.Mapper(),
          Tracking.defaults().events("Mail", EventPolicy.contiguous()),
          new MovableClock());
  private final Set<String> failing = new HashSet<>();
  private final Map<String, Reason> letters = new LinkedHashMap<>();
  private final AtomicLong nanos = new AtomicLong();
  private RuntimeException fault = new NullPointerException("secret");

  private final Projector<CountedRow> projector =
      Projector.into(rows)
          .on(
              Mail.class,
              mail -> key(mail.text()),
              () -> new CountedRow("", 0),
              (row, mail) -> {
                if (failing.contains(mail.id())) {
                  throw fault;
                }
                return new CountedRow(row.id(), row.total() + 1);
              })
          .build();

  @SuppressWarnings("NullAway") // which does not see what a compiled type says of type arguments
  private IntakeBuilder<Mail> builder(Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return Intake.<Mail>builder(
            Mail::id,
            mail -> {
              switch (mail.text()) {
                case "broken" -> throw new IllegalArgumentException("not an event");
                case "unreadable" -> throw new IOException("cut short");
                case "registry" -> throw new UncheckedIOException(new IOException("away"));
                default -> {
                  return Delivery.of(MessageId.of(mail.id()), mail);
                }
              }
            },
            handler)
        .lane(Mail::lane)
        .deadLetters((mail, reason) -> letters.put(mail.id(), reason))
        .parkAfter(3)
        .time(nanos::get);
  }

  private Intake<Mail> intake() {
    return builder(projector::handle).build();
  }

  private static Mail mail(String id, String lane) {
    return new Mail(id, lane, "row-" + id);
  }

  private long total(String row) {
    return rows.find(key(row)).map(CountedRow::total).orElse(0L);
  }

  private static List<Kind> kinds(Taken<?> taken) {
    return taken.fates().stream().map(Fate::kind).toList();
  }

  @Test
  @DisplayName("refuses an empty lane by name, handles nothing, and keeps no sound message as dead")
  void emptyLane() {
    List<Mail> batch = List.of(mail("1", "a"), mail("2", ""));
    Intake<Mail> intake = intake();
    Exception told = assertThrows(IllegalArgumentException.class, () -> intake.take(batch));
    assertEquals(
        "the lane of a message must not be empty: give null for a message that has no order",
        told.getMessage());
    assertEquals(Map.of(), letters);
    assertEquals(0, total("row-1"));
  }

  @Test
  @DisplayName("acknowledges what is done, and tells duplicates as done")
  void done() {
    List<Mail> batch = List.of(mail("1", "a"), mail("2", "a"));
    Intake<Mail> intake = intake();
    assertEquals(batch, intake.take(batch).toAcknowledge());
    assertEquals(batch, intake.take(batch).toAcknowledge());
    assertEquals(1, total("row-1"));
    assertTrue(letters.isEmpty());
  }

  @Test
  @DisplayName("takes for done what the handler names, and nothing that it has filtered out")
  void filtered() {
    Intake<Mail> intake =
        builder(
                given ->
                    projector.handle(
                        given.stream()
                            .filter(delivery -> !delivery.message().equals(MessageId.of("1")))
                            .toList()))
            .parkAfter(1)
            .build();
    Taken<Mail> taken = intake.take(List.of(mail("1", "a"), mail("2", "b")));
    assertEquals(List.of(Kind.DEAD, Kind.DONE), kinds(taken));
    assertEquals(1, total("row-2"));
    assertEquals(0, total("row-1"));
    assertTrue(taken.fates().get(0).reason().contains("named no result"));
  }

  @Test
  @DisplayName("takes no delivery's result for that of another one, in whatever order they come")
  void reordered() {
    failing.add("1");
    Intake<Mail> intake =
        builder(
                given -> {
                  List<Delivery> turned = new ArrayList<>(given);
                  Collections.reverse(turned);
                  turned.replaceAll(each -> Delivery.of(each.message(), each.event()));
                  return projector.handle(turned);
                })
            .build();
    Taken<Mail> taken = intake.take(List.of(mail("1", "a"), mail("2", "b"), mail("3", "c")));
    assertEquals(List.of(Kind.AGAIN, Kind.DONE, Kind.DONE), kinds(taken));
  }

  @Test
  @DisplayName("buries at once what cannot be decoded, and handles what is behind it")
  void undecodable() {
    List<Mail> batch =
        List.of(new Mail("1", "a", "broken"), new Mail("2", "a", "unreadable"), mail("3", "a"));
    Taken<Mail> taken = intake().take(batch);
    assertEquals(List.of(Kind.DEAD, Kind.DEAD, Kind.DONE), kinds(taken));
    assertEquals(2, taken.dead());
    assertEquals(new Reason("IllegalArgumentException", true, 1), letters.get("1"));
    assertEquals(new Reason("IOException", true, 1), letters.get("2"));
    assertEquals(1, total("row-3"));
  }

  @Test
  @DisplayName("tries again where the decoder fails for another cause than the message")
  void registry() {
    List<Mail> batch = List.of(new Mail("1", "a", "registry"), mail("2", "b"));
    assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(intake().take(batch)));
    Intake<Mail> knows = builder(projector::handle).undecodable(UncheckedIOException.class).build();
    assertEquals(List.of(Kind.DEAD, Kind.DONE), kinds(knows.take(batch)));
  }

  @Test
  @DisplayName("hands over nothing of a lane behind what its decoder could not read for now")
  void unread() {
    List<Mail> batch = List.of(new Mail("1", "a", "registry"), mail("2", "a"), mail("3", "b"));
    Taken<Mail> taken = intake().take(batch);
    assertEquals(List.of(Kind.AGAIN, Kind.AGAIN, Kind.DONE), kinds(taken));
    assertFalse(taken.fates().get(1).handled());
    assertEquals(0, total("row-2"));
  }

  @Test
  @DisplayName("parks a message after so many failures while others succeed, and goes on behind it")
  void parks() {
    failing.add("1");
    Intake<Mail> intake = intake();
    List<Mail> batch = List.of(mail("1", "a"), mail("2", "a"), mail("3", "b"));
    for (int i = 1; i <= 2; i++) {
      Taken<Mail> taken = intake.take(batch);
      assertEquals(List.of(Kind.AGAIN, Kind.AGAIN, Kind.DONE), kinds(taken));
      assertEquals("NullPointerException", taken.fates().get(0).reason());
      assertEquals(batch.subList(0, 2), taken.toRetry());
    }
    Taken<Mail> last = intake.take(batch);
    assertEquals(List.of(Kind.DEAD, Kind.DONE, Kind.DONE), kinds(last));
    assertEquals(Map.of("1", new Reason("NullPointerException", false, 3)), letters);
    assertEquals(1, total("row-2"));
    assertFalse(last.toString().contains("row"));
  }

  @Test
  @DisplayName("does not drain a lane while everything fails, as after a bad deploy")
  void badDeploy() {
    Intake<Mail> intake = intake();
    assertEquals(1, intake.take(List.of(mail("0", "a"))).toAcknowledge().size());
    nanos.addAndGet(IntakeBuilder.QUIET.toNanos() + 1);
    List<Mail> batch = List.of(mail("1", "a"), mail("2", "b"));
    failing.addAll(List.of("1", "2"));
    for (int i = 1; i < 30; i++) {
      assertEquals(batch, intake.take(batch).toRetry());
    }
    assertTrue(letters.isEmpty());
    failing.remove("2"); // so that the other is at fault itself
    assertEquals(batch, intake.take(batch).toAcknowledge());
    assertEquals(Set.of("1"), letters.keySet());
  }

  @Test
  @DisplayName("gives a message up in the end, also where nothing else comes")
  void patience() {
    Intake<Mail> intake = intake();
    failing.add("1");
    long tries =
        IntStream.iterate(1, i -> i + 1)
            .takeWhile(i -> intake.take(List.of(mail("1", "a"))).dead() == 0)
            .count();
    assertEquals(29, tries);
  }

  @Test
  @DisplayName("never gives up for an outage")
  void outage() {
    fault = new UncheckedIOException(new IOException("away"));
    failing.add("1");
    Intake<Mail> intake = builder(projector::handle).outage(UncheckedIOException.class).build();
    List<Mail> batch = List.of(mail("1", "a"), mail("2", "b"));
    for (int i = 0; i < 100; i++) {
      assertEquals(List.of(Kind.AGAIN, Kind.DONE), kinds(intake.take(batch)));
    }
    assertTrue(letters.isEmpty());
  }

  @Test
  @DisplayName("counts anew once a message was handled")
  void countsAnew() {
    Intake<Mail> intake = intake();
    List<Mail> batch = List.of(mail("1", "a"), mail("2", "b"));
    failing.add("1");
    var unused = List.of(intake.take(batch), intake.take(batch));
    failing.clear();
    assertEquals(batch, intake.take(batch).toAcknowledge());
    failing.add("1");
    List<Mail> other = List.of(new Mail("1", "a", "other"), mail("3", "b"));
    fault = new IllegalStateException();
    List<Kind> kinds = new ArrayList<>();
    IntStream.range(0, 2).forEach(i -> kinds.addAll(kinds(intake.take(other))));
    assertEquals(List.of(Kind.AGAIN, Kind.DONE, Kind.AGAIN, Kind.DONE), kinds);
  }

  @Test
  @DisplayName("holds back what the dead letters do not take, and spares the others the wait")
  void lettersFail() {
    List<String> asked = new ArrayList<>();
    Intake<Mail> intake =
        builder(projector::handle)
            .deadLetters(
                (mail, reason) -> {
                  asked.add(mail.id());
                  throw new IOException("no broker at 10.0.0.1");
                })
            .build();
    List<Mail> batch =
        List.of(new Mail("1", "a", "broken"), mail("2", "a"), new Mail("3", "b", "broken"));
    Taken<Mail> taken = intake.take(batch);
    assertEquals(batch, taken.toRetry());
    assertEquals(List.of("1"), asked);
    assertFalse(taken.fates().get(0).reason().contains("10.0.0.1"));
    assertEquals(0, total("row-2")); // which would overtake the first one
  }

  @Test
  @DisplayName("buries nothing behind a message that is not done, since it comes again")
  void buriesOnce() {
    failing.add("1");
    List<Mail> batch = List.of(mail("1", "a"), new Mail("2", "a", "broken"));
    assertEquals(batch, intake().take(batch).toRetry());
    assertTrue(letters.isEmpty());
  }

  @Test
  @DisplayName("tells of a message that comes again only for what is before it that it is handled")
  void handled() {
    failing.add("2");
    List<Mail> batch =
        List.of(mail("1", "a"), mail("2", "a"), mail("3", "a"), new Mail("4", "a", "broken"));
    Taken<Mail> taken = intake().take(batch);
    assertEquals(List.of(Kind.DONE, Kind.AGAIN, Kind.AGAIN, Kind.AGAIN), kinds(taken));
    assertEquals(
        List.of(true, false, true, false), taken.fates().stream().map(Fate::handled).toList());
  }

  @Test
  @DisplayName("gives nothing up without dead letters")
  void noLetters() {
    failing.add("1");
    Intake<Mail> intake =
        Intake.<Mail>builder(
                Mail::id,
                mail -> {
                  if (mail.text().equals("broken")) {
                    throw new IllegalArgumentException();
                  }
                  return Delivery.of(MessageId.of(mail.id()), mail);
                },
                projector::handle)
            .parkAfter(1)
            .build();
    List<Mail> batch = List.of(mail("1", "a"), new Mail("2", "a", "broken"), mail("3", "a"));
    assertEquals(List.of(Kind.AGAIN, Kind.AGAIN, Kind.DONE), kinds(intake.take(batch)));
  }

  @Test
  @DisplayName("handles what waited behind a message of its source that it gives up, in one call")
  void source() {
    failing.add("1");
    Intake<Mail> intake =
        Intake.<Mail>builder(
                Mail::id,
                mail ->
                    Delivery.of(
                        SourceEvent.of("Order", "o", Long.parseLong(mail.id())),
                        new Mail(mail.id(), null, "row")),
                projector::handle)
            .deadLetters((mail, reason) -> letters.put(mail.id(), reason))
            .parkAfter(1)
            .build();
    var seen = intake.take(List.of(mail("0", "z")));
    assertEquals(1, seen.toAcknowledge().size());
    Taken<Mail> taken = intake.take(List.of(mail("1", "z"), mail("2", "z")));
    assertEquals(List.of(Kind.DEAD, Kind.DONE), kinds(taken));
    assertEquals(2, total("row"));
  }

  @Test
  @DisplayName("waits for what a gap misses, however long")
  void gap() {
    Intake<Mail> intake =
        Intake.<Mail>builder(
                Mail::id,
                mail -> Delivery.of(SourceEvent.of("Mail", "o", Long.parseLong(mail.id())), mail),
                projector::handle)
            .deadLetters((mail, reason) -> letters.put(mail.id(), reason))
            .parkAfter(1)
            .build();
    Mail second = new Mail("2", null, "row");
    for (int i = 0; i < 20; i++) {
      Taken<Mail> taken = intake.take(List.of(second, mail("1" + i, "x")));
      assertEquals(Kind.AGAIN, taken.fates().get(0).kind());
      assertEquals("Gap", taken.fates().get(0).reason());
    }
    List<Mail> both = List.of(new Mail("1", null, "row"), second);
    assertEquals(both, intake.take(both).toAcknowledge());
    assertTrue(letters.isEmpty());
  }

  @Test
  @DisplayName("takes a handler's own exception for no message's fault")
  void handlerThrows() {
    Intake<Mail> intake =
        builder(
                deliveries -> {
                  throw new IllegalStateException("closed");
                })
            .build();
    List<Mail> batch = List.of(mail("1", "a"));
    for (int i = 0; i < 50; i++) {
      Taken<Mail> taken = intake.take(batch);
      assertEquals(batch, taken.toRetry());
      assertEquals("IllegalStateException", taken.fates().get(0).reason());
    }
  }

  @Test
  @DisplayName("tells a listener before the carrier, which is not told if the listener throws")
  void listener() {
    List<Integer> dead = new ArrayList<>();
    Intake<Mail> intake =
        builder(projector::handle).listener(taken -> dead.add(taken.dead())).build();
    var unused = intake.take(List.of(new Mail("1", "a", "broken"), mail("2", "a")));
    assertEquals(List.of(1), dead);
    Intake<Mail> strict =
        builder(projector::handle)
            .listener(
                taken -> {
                  throw new IllegalStateException();
                })
            .build();
    List<Mail> batch = List.of(mail("3", "a"));
    assertThrows(IllegalStateException.class, () -> strict.take(batch));
  }

  @Test
  @DisplayName("refuses bad settings")
  void settings() {
    IntakeBuilder<Mail> builder = builder(projector::handle);
    assertThrows(IllegalArgumentException.class, () -> builder.parkAfter(0));
    assertThrows(IllegalArgumentException.class, () -> builder.parkAfter(1_001));
  }
}
