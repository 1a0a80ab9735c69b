package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * Random batches over a few entities and few messages, so that there are duplicates, late events,
 * gaps, refusals, faults and deletes; the same for every store and for one message at a time.
 */
final class RandomBatch {
  private static final List<String> TYPES = List.of("Late", "Dense", "Window", "Sparse");

  private final Random random;
  private final List<EntityKey> keys;
  private final boolean additive;

  /** Additive batches create and add up alone, so that every message counts once, in any order. */
  RandomBatch(long seed, List<EntityKey> keys, boolean additive) {
    this.random = new Random(seed);
    this.keys = keys;
    this.additive = additive;
  }

  List<Write<View>> writes() {
    List<Write<View>> writes = new ArrayList<>();
    int size = 1 + random.nextInt(random.nextInt(6) == 0 ? 150 : 30); // also more than slots take
    for (int i = 0; i < size; i++) {
      EntityKey key = keys.get(random.nextInt(keys.size()));
      writes.add(additive ? adding(key) : any(key));
    }
    return writes;
  }

  private Message message() {
    if (additive || random.nextInt(3) == 0) {
      return MessageId.of("m-" + random.nextInt(additive ? 60 : 20));
    }
    String type = TYPES.get(random.nextInt(TYPES.size()));
    return Some.event(type, "" + random.nextInt(2), 1 + random.nextInt(8));
  }

  private Write<View> adding(EntityKey key) {
    return random.nextInt(3) == 0
        ? Write.apply(message(), key, View::new, Views::counted)
        : Write.update(message(), key, Scene.counted());
  }

  private Write<View> any(EntityKey key) {
    Message message = message();
    Write<View> write =
        switch (random.nextInt(12)) {
          case 0 -> Write.delete(message, key);
          case 1 -> Write.deleteExisting(message, key);
          case 2 -> Write.skip(message, key);
          case 3, 4 -> Write.apply(message, key, function());
          case 5, 6 -> Write.apply(message, key, View::new, function());
          case 7 -> Write.update(message, key, change(Scene.counted().recreate()));
          default -> Write.update(message, key, change(Change.change()));
        };
    return random.nextInt(5) == 0 ? write.inLane("lane-" + random.nextInt(2)) : write;
  }

  private UnaryOperator<View> function() {
    String line = "f" + random.nextInt(5);
    if (random.nextInt(5) == 0) {
      return Views::paid; // which changes nothing the second time
    }
    return random.nextInt(5) == 0
        ? view -> {
          view.setNote("half changed");
          throw new IllegalStateException("poison");
        }
        : view -> {
          List<String> lines =
              new ArrayList<>(view.getLines() == null ? List.of() : view.getLines());
          lines.add(line);
          view.setLines(lines);
          return Views.counted(view);
        };
  }

  private Change change(Change start) {
    Change change = random.nextInt(3) > 0 ? start.createIfMissing() : start;
    if (start.operations().isEmpty() && random.nextBoolean()) {
      change = change.add("total", 1 + random.nextInt(3));
    }
    if (random.nextInt(3) == 0) {
      change = change.append("lines", "l" + random.nextInt(9));
    }
    change = tagged(change);
    change =
        switch (random.nextInt(6)) {
          case 0 -> change.set("status", "S" + random.nextInt(3));
          case 1 -> change.setIfAbsent("status", "A" + random.nextInt(3));
          case 2 -> change.remove("status");
          case 3 -> change.set("address.city", "Ulm"); // there is no address
          default -> change;
        };
    return random.nextInt(6) == 0 ? change.onlyIf(attribute("status").is("S1")) : change;
  }

  private Change tagged(Change change) {
    return switch (random.nextInt(5)) {
      case 0 -> change.addToSet("tags", "t" + random.nextInt(4));
      case 1 -> change.removeFromSet("tags", "t" + random.nextInt(4));
      default -> change;
    };
  }

  /** The same writes to other entities. */
  static List<Write<View>> elsewhere(List<Write<View>> writes, Map<EntityKey, EntityKey> keys) {
    return writes.stream()
        .map(
            w ->
                new Write<>(
                    w.message(), keys.getOrDefault(w.key(), w.key()), w.action(), w.laneOrNull()))
        .toList();
  }
}
