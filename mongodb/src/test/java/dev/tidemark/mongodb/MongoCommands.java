package dev.tidemark.mongodb;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.tck.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts the commands that the calling thread sends. */
final class MongoCommands implements CommandListener {
  private static final Set<String> READS = Set.of("find", "aggregate", "count", "getMore");
  private static final Set<String> WRITES = Set.of("findAndModify", "update", "insert", "delete");

  private static final ThreadLocal<@Nullable List<String>> MEASURED = new ThreadLocal<>();
  private static final ThreadLocal<@Nullable Consumer<String>> BEFORE = new ThreadLocal<>();

  @Override
  public void commandStarted(CommandStartedEvent event) {
    List<String> names = MEASURED.get();
    if (names == null) {
      return;
    }
    names.add(event.getCommandName());
    Consumer<String> before = BEFORE.get();
    if (before != null) {
      MEASURED.remove();
      try {
        before.accept(event.getCommandName());
      } finally {
        MEASURED.set(names);
      }
    }
  }

  Backend.Cost measure(Runnable action) {
    List<String> names = names(action);
    int reads = (int) names.stream().filter(READS::contains).count();
    int writes = (int) names.stream().filter(WRITES::contains).count();
    return new Backend.Cost(reads, writes, Double.NaN);
  }

  /** What an action sends, in order. */
  List<String> names(Runnable action) {
    return names(action, name -> {});
  }

  /** The same, where something happens before each command is sent, and is not counted. */
  List<String> names(Runnable action, Consumer<String> before) {
    List<String> names = new ArrayList<>();
    MEASURED.set(names);
    BEFORE.set(before);
    try {
      action.run();
    } finally {
      MEASURED.remove();
      BEFORE.remove();
    }
    return names;
  }
}
