package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.strings;

import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.Tracking;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.quicktheories.core.Gen;

@DisplayName("Names of what tracking stores")
class NamesTest {
  private static final Names FLAT = Names.flat(Tracking.defaults());
  private static final Names NESTED = Names.nested(Tracking.defaults());

  private static Gen<String> hostile() {
    return strings().betweenCodePoints(0, 0x7F).ofLengthBetween(0, 6);
  }

  private static Gen<String> named() {
    return strings().betweenCodePoints(0, 0x7F).ofLengthBetween(1, 6);
  }

  @Test
  @DisplayName("encoding is reversible and leaves no dot, dollar, at, hash or control character")
  void reversible() {
    qt().withFixedSeed(20_260_101L)
        .forAll(hostile())
        .check(
            raw -> {
              String encoded = Names.encode(raw);
              boolean clean =
                  encoded.chars().noneMatch(c -> c < 0x20 || c == 0x7F || ".$@#".indexOf(c) >= 0);
              return clean && !encoded.isEmpty() && decode(encoded).equals(raw);
            });
  }

  @Test
  @DisplayName("two sources have one name only if they are one")
  void injective() {
    qt().withFixedSeed(20_260_101L)
        .forAll(named(), named(), named(), named())
        .check(
            (type, id, otherType, otherId) -> {
              Source one = Source.of(type, id);
              Source other = Source.of(otherType, otherId);
              boolean sameName =
                  FLAT.mark(one, Names.Part.MARK).equals(FLAT.mark(other, Names.Part.MARK));
              return sameName == one.equals(other);
            });
  }

  @Test
  @DisplayName("a nested path has three segments, whatever the source is called")
  void nested() {
    qt().withFixedSeed(20_260_101L)
        .forAll(named(), named())
        .check(
            (type, id) -> {
              String name = NESTED.mark(Source.of(type, id), Names.Part.SEEN);
              List<String> segments = NESTED.path(name).segments();
              return segments.size() == 3 && String.join(".", segments).equals(name);
            });
    assertEquals(Path.of("messageIDs#1"), NESTED.path("messageIDs#1"));
    assertEquals(Path.of("events.Order.1"), FLAT.path("events.Order.1"));
  }

  @Test
  @DisplayName("tracking owns its names for any subscriber, and nothing that only begins like them")
  void owns() {
    Set.of(
            "_rev",
            "_born",
            "deletedUntil",
            "messageIDs",
            "messageIDs#1",
            "messageIDs@x",
            "events",
            "events.A.1",
            "events@x.A.1",
            "events#full")
        .forEach(name -> assertTrue(FLAT.owns(name), name));
    Set.of("_revision", "eventsOfToday", "messageIDsOld", "status", "rev", "deletedUntilNow")
        .forEach(name -> assertFalse(FLAT.owns(name), name));
  }

  @Test
  @DisplayName("sources are counted once each, of this subscriber alone")
  void count() {
    Set<String> names =
        Set.of("events.A.1", "events.A.1#seen", "events.A.2", "events@x.A.3", "events");
    assertEquals(2, FLAT.countSources(names));
    assertEquals(1, Names.flat(Tracking.defaults().as("x")).countSources(names));
  }

  /** What {@link Names#encode} has encoded: nothing is lost by it. */
  private static String decode(String encoded) {
    return encoded.equals("%")
        ? ""
        : Pattern.compile("%([0-9A-F]{2})")
            .matcher(encoded)
            .replaceAll(
                hex -> Matcher.quoteReplacement("" + (char) Integer.parseInt(hex.group(1), 16)));
  }
}
