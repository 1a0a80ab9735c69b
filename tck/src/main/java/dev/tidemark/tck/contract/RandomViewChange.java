package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;

import dev.tidemark.Attribute;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Path;
import dev.tidemark.Source;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Draws changes of views, by every method that changes and conditions have. */
final class RandomViewChange {
  private final Random random;
  private final Supplier<Source> sources;

  /**
   * Draws by a random generator.
   *
   * @param sources which sources may be retired
   */
  RandomViewChange(Random random, Supplier<Source> sources) {
    this.random = random;
    this.sources = sources;
  }

  Change change() {
    Change change = random.nextInt(8) == 0 ? Change.change() : counted();
    change = random.nextInt(3) == 0 ? ofStatus(change) : change;
    change = random.nextInt(3) == 0 ? ofLines(change) : change;
    change = random.nextInt(3) == 0 ? ofTags(change) : change;
    change = random.nextInt(6) == 0 ? ofAddress(change) : change;
    change =
        switch (random.nextInt(12)) {
          case 0 -> change.retire(sources.get());
          case 1 -> change.publish("views", text("u"));
          case 2 -> change.publish(OutgoingMessage.to("views", text("v")));
          default -> change;
        };
    change =
        switch (random.nextInt(8)) {
          case 0 -> change.onlyIf(condition(2));
          case 1, 2 -> change.onlyIf(attribute("status").is(text("S")));
          case 3 -> change.onlyIf(condition(1)).otherwiseSkip();
          default -> change;
        };
    change =
        switch (random.nextInt(6)) {
          case 0 -> change;
          case 1 -> change.recreate();
          default -> change.createIfMissing();
        };
    return random.nextInt(4) == 0 ? change.returning() : change;
  }

  private String text(String letter) {
    return letter + random.nextInt(2);
  }

  private Change counted() {
    return random.nextBoolean()
        ? Change.change().add("total", 1 + random.nextInt(2))
        : Change.change().add(Path.of("total"), 1);
  }

  private Change ofStatus(Change change) {
    Path status = Path.of("status");
    return switch (random.nextInt(6)) {
      case 0 -> change.set("status", text("S"));
      case 1 -> change.set(status, text("S"));
      case 2 -> change.setIfAbsent("status", text("S"));
      case 3 -> change.setIfAbsent(status, text("S"));
      case 4 -> change.remove("status");
      default -> change.remove(status);
    };
  }

  private Change ofLines(Change change) {
    return random.nextBoolean()
        ? change.append("lines", text("l"), text("l"))
        : change.append(Path.of("lines"), text("l"));
  }

  private Change ofTags(Change change) {
    Path tags = Path.of("tags");
    return switch (random.nextInt(4)) {
      case 0 -> change.addToSet("tags", text("t"));
      case 1 -> change.addToSet(tags, "t0", "t1");
      case 2 -> change.removeFromSet("tags", text("t"));
      default -> change.removeFromSet(tags, "t0", "t1");
    };
  }

  private Change ofAddress(Change change) {
    return switch (random.nextInt(5)) {
      case 0, 1 -> change.set("address", Map.of("city", text("C")));
      case 2 -> change.set("address.city", text("D")); // there may be no address
      case 3 -> change.set("address.city", text("E")).createParents();
      default -> change.remove("address");
    };
  }

  private Condition condition(int depth) {
    if (depth > 0) {
      Condition left = condition(depth - 1);
      return switch (random.nextInt(4)) {
        case 0 -> left.and(condition(0));
        case 1 -> left.or(condition(0));
        case 2 -> left.not();
        default -> left;
      };
    }
    Attribute total = attribute("total");
    Attribute status = attribute("status");
    return switch (random.nextInt(13)) {
      case 0 -> status.is(text("S"));
      case 1 -> status.isNot(text("S"));
      case 2 -> total.lessThan(3);
      case 3 -> total.atMost(3);
      case 4 -> total.greaterThan(3);
      case 5 -> total.atLeast(3);
      case 6 -> status.exists();
      case 7 -> status.isMissing();
      case 8 -> status.in("S0", "S2");
      case 9 -> attribute("lines").contains(text("l"));
      case 10 -> attribute("tags").sizeBelow(2);
      case 11 -> Condition.always();
      default -> Condition.never();
    };
  }

  /** What a change does, values included. */
  static String shown(Change change) {
    String operations =
        change.operations().stream()
            .map(
                one ->
                    "%s %s %s%s"
                        .formatted(
                            one.kind(),
                            one.path(),
                            one.given(),
                            one.createsParents() ? " creating parents" : ""))
            .toList()
            .toString();
    String rule = change.condition().map(one -> " only if " + shown(one)).orElse("");
    return operations + rule + " " + change.rules();
  }

  private static String shown(Condition condition) {
    if (condition instanceof Condition.Test test) {
      return test.path() + " " + test.operator() + " " + test.value();
    }
    Condition.Joined joined = (Condition.Joined) condition;
    return joined.join() + joined.parts().stream().map(RandomViewChange::shown).toList().toString();
  }
}
