package dev.tidemark.mongodb;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.tck.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the commands that the calling thread sends. */
final class MongoCommands implements CommandListener {
  private static final Set<String> READS = Set.of("find", "aggregate", "count", "getMore");
  private static final Set<String> WRITES = Set.of("findAndModify", "update", "insert", "delete");

  private static final ThreadLocal<@Nullable List<String>> MEASURED = new ThreadLocal<>();

  @Override
  public void commandStarted(CommandStartedEvent event) {
    List<String> names = MEASURED.get();
    if (names != null) {
      names.add(event.getCommandName());
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
    List<String> names = new ArrayList<>();
    MEASURED.set(names);
    try {
      action.run();
    } finally {
      MEASURED.remove();
    }
    return names;
  }
}
