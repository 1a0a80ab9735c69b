package dev.tidemark.intake;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Operation;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceMapper;
import dev.tidemark.tck.ReferenceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rows drop events that come late, so that whatever is overtaken is lost. */
@DisplayName("A message that an intake gives up")
final class IntakeLettersTest {
  private record Mail(long number, @Nullable String lane, String row) {}

  private record Row(String id, String numbers) {}

  private static final class RowMapper implements ReferenceMapper<Row> {
    @Override
    public Map<String, Object> attributes(Row row) {
      return Map.of("numbers", row.numbers());
    }

    @Override
    public Row entity(EntityKey key, Map<String, Object> attributes) {
      return new Row(
          key.parts().get(0).toString(), attributes.getOrDefault("numbers", "").toString());
    }

    @Override
    public EntityKey key(Row row) {
      return EntityKey.key(row.id());
    }

    @Override
    public void check(Operation operation) {}
  }

  private final ReferenceStore<Row> rows =
      ReferenceStore.of(
          new RowMapper(),
          Tracking.defaults()
              .events("Mail", EventPolicy.dropLate())
              .events("Part", EventPolicy.contiguous()),
          new MovableClock());
  private final Set<Long> broken = new HashSet<>();
  private final Set<Long> unreadable = new HashSet<>();
  private final Set<Long> unreadForNow = new HashSet<>();
  private final Set<Long> failing = new HashSet<>();
  private final Set<Long> meetingOutages = new HashSet<>();
  private final Set<Long> refused = new HashSet<>();
  private final List<Long> asked = new ArrayList<>();
  private final List<Long> tried = new ArrayList<>();

  private final Projector<Row> projector =
      Projector.into(rows)
          .on(
              Mail.class,
              mail -> key(mail.row()),
              () -> new Row("", ""),
              (row, mail) -> {
                tried.add(mail.number());
                if (failing.contains(mail.number())) {
                  throw new NullPointerException();
                }
                if (meetingOutages.contains(mail.number())) {
                  throw new UncheckedIOException(new IOException("away"));
                }
                return new Row(row.id(), row.numbers() + mail.number());
              })
          .build();

  private final Intake<Mail> intake = intake();

  @SuppressWarnings("NullAway") // which does not see what a compiled type says of type arguments
  private Intake<Mail> intake() {
    Intake<Mail> made =
        Intake.<Mail>builder(Mail::number, this::decoded, projector::handle)
            .lane(Mail::lane)
            .deadLetters(
                (mail, reason) -> {
                  asked.add(mail.number());
                  if (refused.contains(mail.number())) {
                    throw new IOException("no such topic");
                  }
                })
            .outage(UncheckedIOException.class)
            .parkAfter(1)
            .build();
    assertEquals(1, made.take(List.of(new Mail(1, "z", "first"))).toAcknowledge().size());
    return made;
  }

  private Delivery decoded(Mail mail) {
    if (broken.contains(mail.number())) {
      throw new IllegalArgumentException("not an event");
    }
    if (unreadable.contains(mail.number())) {
      throw new NullPointerException("the registry is away");
    }
    if (unreadForNow.contains(mail.number())) {
      throw new UncheckedIOException(new IOException("the registry is away"));
    }
    String type = mail.row().equals("parts") ? "Part" : "Mail";
    return Delivery.of(SourceEvent.of(type, mail.row(), mail.number()), mail);
  }

  private List<Kind> take(List<Mail> batch) {
    return intake.take(batch).fates().stream().map(Fate::kind).toList();
  }

  private String numbers(String row) {
    return rows.find(key(row)).map(Row::numbers).orElse("");
  }

  @Test
  @DisplayName("is not overtaken in its lane where the dead letters do not take it")
  void refused() {
    failing.add(1L);
    refused.add(1L);
    List<Mail> batch = List.of(new Mail(1, "a", "x"), new Mail(2, "a", "x"));
    assertEquals(List.of(Kind.AGAIN, Kind.AGAIN), take(batch));
    failing.clear();
    assertEquals(List.of(Kind.DONE, Kind.DONE), take(batch));
    assertEquals("12", numbers("x"));
  }

  @Test
  @DisplayName("is not overtaken without a lane either")
  void withoutLane() {
    failing.add(1L);
    refused.add(1L);
    List<Mail> batch = List.of(new Mail(1, null, "x"), new Mail(2, null, "x"));
    assertEquals(List.of(Kind.AGAIN, Kind.AGAIN), take(batch));
    failing.clear();
    assertEquals(List.of(Kind.DONE, Kind.DONE), take(batch));
    assertEquals("12", numbers("x"));
  }

  @Test
  @DisplayName("is not overtaken while it waits behind another one that is not done")
  void behind() {
    meetingOutages.add(1L);
    failing.add(2L);
    List<Mail> batch = List.of(new Mail(1, "a", "x"), new Mail(2, "a", "y"), new Mail(3, "a", "y"));
    assertEquals(List.of(Kind.AGAIN, Kind.AGAIN, Kind.AGAIN), take(batch));
    assertTrue(asked.isEmpty());
    meetingOutages.clear();
    failing.clear();
    assertEquals(List.of(Kind.DONE, Kind.DONE, Kind.DONE), take(batch));
    assertEquals("23", numbers("y"));
  }

  @Test
  @DisplayName("is a letter once what it waited behind is done, and what is behind it goes on then")
  void front() {
    meetingOutages.add(1L);
    failing.add(2L);
    List<Mail> batch = List.of(new Mail(1, "a", "x"), new Mail(2, "a", "y"), new Mail(3, "a", "y"));
    assertEquals(List.of(Kind.AGAIN, Kind.AGAIN, Kind.AGAIN), take(batch));
    meetingOutages.clear();
    assertEquals(List.of(Kind.DONE, Kind.DEAD, Kind.DONE), take(batch));
    assertEquals(List.of(2L), asked);
    assertEquals("3", numbers("y"));
  }

  @Test
  @DisplayName("is tried for its letter once in a batch, while other lanes go on behind theirs")
  void others() {
    failing.addAll(List.of(1L, 3L));
    refused.add(3L);
    Mail refusedOne = new Mail(3, "b", "y");
    List<Mail> lane = List.of(new Mail(1, "a", "x"), new Mail(2, "a", "x"));
    Taken<Mail> taken =
        intake.take(List.of(lane.get(0), lane.get(1), refusedOne, new Mail(4, "b", "y")));
    assertEquals(
        List.of(Kind.DEAD, Kind.DONE, Kind.AGAIN, Kind.AGAIN),
        taken.fates().stream().map(Fate::kind).toList());
    assertEquals("the dead letters did not take it: IOException", taken.fates().get(2).reason());
    assertEquals(List.of(1L, 3L), asked);
    assertEquals("2", numbers("x"));
    assertEquals("", numbers("y"));

    Taken<Mail> spared = intake.take(List.of(refusedOne, new Mail(1, "a", "w")));
    assertEquals(2, spared.toRetry().size());
    assertEquals("the dead letters took none before it", spared.fates().get(1).reason());
    assertEquals(List.of(1L, 3L, 3L), asked);
  }

  @Test
  @DisplayName("stops its lane where it cannot be decoded and the dead letters do not take it")
  void undecodable() {
    broken.add(1L);
    refused.add(1L);
    List<Mail> batch = List.of(new Mail(1, "a", "x"), new Mail(2, "a", "x"));
    assertEquals(List.of(Kind.AGAIN, Kind.AGAIN), take(batch));
    broken.clear();
    assertEquals(List.of(Kind.DONE, Kind.DONE), take(batch));
    assertEquals("12", numbers("x"));
  }

  @Test
  @DisplayName("stops its lane where it cannot be decoded and waits behind one that fails")
  void undecodableBehind() {
    meetingOutages.add(1L);
    broken.add(2L);
    List<Mail> batch = List.of(new Mail(1, "a", "x"), new Mail(2, "a", "y"), new Mail(3, "a", "y"));
    Taken<Mail> taken = intake.take(batch);
    assertEquals(batch, taken.toRetry());
    assertTrue(asked.isEmpty());
    meetingOutages.clear();
    broken.clear();
    assertEquals(List.of(Kind.DONE, Kind.DONE, Kind.DONE), take(batch));
    assertEquals("23", numbers("y"));
  }

  @Test
  @DisplayName("is one letter among those that are done, and stops nobody")
  void among() {
    broken.addAll(List.of(2L, 4L));
    List<Mail> batch =
        List.of(
            new Mail(1, "a", "x"),
            new Mail(2, "a", "x"),
            new Mail(3, "a", "x"),
            new Mail(4, "a", "x"),
            new Mail(5, "a", "x"));
    assertEquals(List.of(Kind.DONE, Kind.DEAD, Kind.DONE, Kind.DEAD, Kind.DONE), take(batch));
    assertEquals(List.of(2L, 4L), asked);
    assertEquals("135", numbers("x"));
  }

  @Test
  @DisplayName("meets no outage once more in its batch for what is behind it")
  void sparing() {
    broken.add(2L);
    meetingOutages.add(7L);
    List<Mail> batch =
        List.of(
            new Mail(1, "a", "x"),
            new Mail(2, "a", "x"),
            new Mail(3, "a", "x"),
            new Mail(7, "b", "y"));
    assertEquals(List.of(Kind.DONE, Kind.DEAD, Kind.AGAIN, Kind.AGAIN), take(batch));
    assertEquals(1, tried.stream().filter(number -> number == 7).count());
    assertEquals(List.of(Kind.DONE, Kind.AGAIN), take(batch.subList(2, 4)));
    assertEquals("13", numbers("x"));
  }

  @Test
  @DisplayName("is not overtaken by what is behind another one, of another lane")
  void acrossLanes() {
    failing.add(7L);
    refused.add(7L);
    broken.add(2L);
    List<Mail> batch =
        List.of(
            new Mail(1, "a", "x"),
            new Mail(2, "a", "x"),
            new Mail(8, "a", "y"),
            new Mail(7, "b", "y"));
    var unused = take(batch);
    failing.clear();
    assertEquals(List.of(Kind.DONE, Kind.DONE), take(batch.subList(2, 4)));
    assertEquals("78", numbers("y"));
  }

  @Test
  @DisplayName("keeps a gap in front of it from nothing that is behind it")
  void gap() {
    broken.add(9L);
    List<Mail> batch =
        List.of(new Mail(2, "a", "parts"), new Mail(9, "a", "x"), new Mail(1, "a", "parts"));
    assertEquals(List.of(Kind.DONE, Kind.DEAD, Kind.DONE), take(batch));
    assertEquals(List.of(9L), asked);
    assertEquals("12", numbers("parts"));
  }

  @Test
  @DisplayName("has no letter before what is in front of it has had its turn behind another letter")
  void freed() {
    failing.add(1L);
    meetingOutages.add(2L);
    broken.add(3L);
    List<Mail> batch = List.of(new Mail(1, "a", "x"), new Mail(2, "a", "x"), new Mail(3, "a", "y"));
    assertEquals(List.of(Kind.DEAD, Kind.AGAIN, Kind.AGAIN), take(batch));
    assertEquals(List.of(1L), asked);
  }

  @Test
  @DisplayName("is none that nobody can read for now, and no event in front or behind it is lost")
  void unreadBetween() {
    unreadForNow.addAll(List.of(5L, 2L));
    Mail third = new Mail(3, "a", "parts");
    Mail second = new Mail(2, "a", "parts");
    Mail other = new Mail(5, "a", "x");
    for (List<Mail> batch :
        List.of(List.of(third, other, second), List.of(third, second), List.of(third, other))) {
      assertEquals(batch, intake.take(batch).toRetry());
    }
    unreadForNow.clear();
    List<Mail> all = List.of(third, other, second, new Mail(1, "a", "parts"));
    assertEquals(all, intake.take(all).toAcknowledge());
    assertEquals("123", numbers("parts"));
    assertEquals("5", numbers("x"));
    assertEquals(List.of(), asked);
  }

  @Test
  @DisplayName(
      "parts a lane's events as two batches would, which a source that drops late meets so")
  void unreadBetweenLate() {
    unreadForNow.add(5L);
    List<Mail> batch = List.of(new Mail(3, "a", "x"), new Mail(5, "a", "y"), new Mail(2, "a", "x"));
    assertEquals(List.of(Kind.DONE, Kind.AGAIN, Kind.AGAIN), take(batch));
    assertEquals("3", numbers("x"));
    unreadForNow.clear();
    assertEquals(List.of(Kind.DONE, Kind.DONE), take(batch.subList(1, 3)));
    assertEquals("3", numbers("x")); // the lane had 3 first
    assertEquals("5", numbers("y"));
  }

  /**
   * A gap that nothing in this batch fills, what nobody can read for now, and what is behind it.
   */
  private List<Mail> behindGap() {
    unreadable.add(5L);
    broken.add(7L);
    return List.of(
        new Mail(2, "a", "parts"),
        new Mail(5, "a", "x"),
        new Mail(6, "a", "x"),
        new Mail(7, "a", "y"),
        new Mail(8, "a", "y"));
  }

  @Test
  @DisplayName("is one letter before anything passes it, though it comes again behind a gap")
  void behindGapOnce() {
    List<Mail> batch = behindGap();
    for (int i = 0; i < 3; i++) { // the second and the third time it could be read
      assertEquals(batch, intake.take(batch).toRetry());
      assertEquals(List.of(5L, 7L), asked);
      assertEquals("6", numbers("x"));
      assertEquals("8", numbers("y"));
      unreadable.clear();
      broken.clear();
    }
    List<Mail> filled = new ArrayList<>(batch);
    filled.add(new Mail(1, "a", "parts"));
    Taken<Mail> taken = intake.take(filled);
    assertEquals(filled, taken.toAcknowledge());
    assertEquals(2, taken.dead());
    assertEquals("NullPointerException", taken.fates().get(1).reason());
    assertEquals("cannot be decoded: IllegalArgumentException", taken.fates().get(3).reason());
    assertEquals(List.of(5L, 7L), asked);
    assertEquals(List.of(Kind.DONE), take(List.of(new Mail(5, "b", "z")))); // no more than once
  }

  @Test
  @DisplayName("is not overtaken behind a gap where the dead letters do not take it")
  void behindGapRefused() {
    refused.addAll(List.of(5L, 7L));
    List<Mail> batch = behindGap();
    assertEquals(batch, intake.take(batch).toRetry());
    unreadable.clear();
    broken.clear();
    assertEquals(batch, intake.take(batch).toRetry());
    assertEquals("56", numbers("x"));
    assertEquals("78", numbers("y"));
  }

  @Test
  @DisplayName("goes where its intake was built to send it, whatever the builder is told later")
  void ofItsIntake() {
    List<Long> firsts = new ArrayList<>();
    List<Long> others = new ArrayList<>();
    IntakeBuilder<Mail> builder = Intake.builder(Mail::number, this::decoded, projector::handle);
    Intake<Mail> first = builder.deadLetters((mail, reason) -> firsts.add(mail.number())).build();
    builder.deadLetters((mail, reason) -> others.add(mail.number()));
    builder.lane(mail -> "none").outage(UncheckedIOException.class).parkAfter(1);
    broken.add(2L);
    first.take(List.of(new Mail(2, null, "r")));
    assertEquals(List.of(2L), firsts);
    assertEquals(List.of(), others);
  }
}
