package dev.tidemark.tck;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import dev.tidemark.inbox.Handled;
import dev.tidemark.kernel.LateParts;
import dev.tidemark.kernel.Text;
import dev.tidemark.transaction.Committed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Transactions in memory: one at a time, on copies of the views that they name. */
final class ReferenceTransactions implements Transactions {
  /** What all transactions of a backend share; guarded by itself. */
  static final class Memory {
    private final Map<String, Integer> counters = new LinkedHashMap<>();
    private final Map<String, Entry> inbox = new LinkedHashMap<>();
  }

  /** A message in the inbox; a lease makes it a claim. */
  private record Entry(String nonce, Instant expires, @Nullable Instant lease) {
    boolean isFree(Instant now) {
      return !expires.isAfter(now) || (lease != null && lease.isBefore(now));
    }

    boolean isClaimOf(String other) {
      return nonce.equals(other) && lease != null;
    }
  }

  private final ReferenceTable table;
  private final ReferenceWire wire;
  private final Memory memory;
  private final Clock clock;

  ReferenceTransactions(ReferenceTable table, ReferenceWire wire, Memory memory, Clock clock) {
    this.table = table;
    this.wire = wire;
    this.memory = memory;
    this.clock = clock;
  }

  @Override
  public Committed commit(List<Tracked> tracked, @Nullable Count count) {
    long writes = tracked.stream().map(ReferenceTransactions::identity).distinct().count();
    if (writes < tracked.size()) {
      throw new IllegalArgumentException("two writes of one entity are for one message");
    }
    synchronized (memory) {
      ReferenceTable copy = new ReferenceTable();
      List<Outcome<View>> outcomes = written(copy, tracked);
      if (LateParts.drop(outcomes.stream().map(Optional::of).toList())) {
        return dropped(tracked, outcomes);
      }
      boolean recorded = outcomes.stream().anyMatch(ReferenceTransactions::isRecordedRefusal);
      boolean made = outcomes.stream().allMatch(ReferenceTransactions::isMade);
      if (made && recorded) {
        copy = new ReferenceTable();
        outcomes =
            written(copy, recording(tracked, outcomes, ReferenceTransactions::isRecordedRefusal));
        made = outcomes.stream().allMatch(ReferenceTransactions::isMade);
      }
      boolean counts = made && !recorded && count != null;
      boolean full = counts && !hasRoom(Objects.requireNonNull(count));
      if (made && !full) {
        for (Tracked one : tracked) {
          take(copy, one.write().key());
        }
      }
      if (counts && !full) {
        add(Objects.requireNonNull(count));
      }
      List<Optional<Outcome<?>>> told = new ArrayList<>();
      outcomes.forEach(outcome -> told.add(Optional.of(outcome)));
      return new Committed(
          made && !full && !recorded, made && recorded, told, full ? List.of(0) : List.of());
    }
  }

  private List<Outcome<View>> written(ReferenceTable copy, List<Tracked> tracked) {
    List<Outcome<View>> outcomes = new ArrayList<>();
    tracked.forEach(one -> outcomes.add(written(copy, one)));
    return outcomes;
  }

  private static List<Object> identity(Tracked one) {
    return List.of(one.tracking().subscriber(), one.write().key(), one.write().message());
  }

  /** The message is late for one entity: the others record it, if they are there. */
  private Committed dropped(List<Tracked> tracked, List<Outcome<View>> judged) {
    ReferenceTable copy = new ReferenceTable();
    List<Tracked> skipping = recording(tracked, judged, LateParts::isOver);
    List<Optional<Outcome<?>>> told = new ArrayList<>();
    for (int i = 0; i < judged.size(); i++) {
      Outcome<View> outcome = judged.get(i);
      if (!LateParts.isOver(outcome)) {
        outcome = written(copy, skipping.get(i));
        take(copy, tracked.get(i).write().key());
      }
      told.add(Optional.of(outcome));
    }
    return new Committed(false, LateParts.drop(told), told, List.of());
  }

  /** What is written where some writes decide: the others record the message alone. */
  private static List<Tracked> recording(
      List<Tracked> tracked, List<Outcome<View>> outcomes, Predicate<Outcome<View>> decides) {
    List<Tracked> all = new ArrayList<>();
    for (int i = 0; i < tracked.size(); i++) {
      Tracked one = tracked.get(i);
      Write<View> skip = Write.skip(one.write().message(), one.write().key());
      all.add(decides.test(outcomes.get(i)) ? one : new Tracked(one.tracking(), skip));
    }
    return all;
  }

  private static boolean isMade(Outcome<View> outcome) {
    return outcome instanceof Outcome.Applied
        || outcome instanceof Outcome.Recorded
        || isRecordedRefusal(outcome);
  }

  private static boolean isRecordedRefusal(Outcome<View> outcome) {
    return outcome instanceof Outcome.Refused<View> refused && refused.recorded();
  }

  private Outcome<View> written(ReferenceTable copy, Tracked tracked) {
    EntityKey key = tracked.write().key();
    Map<String, Object> record = table.read(key);
    if (record != null) {
      copy.put(key, record);
    }
    return new ReferenceStore<>(
            copy, ReferenceWire.SOUND, new ViewMapper(false), tracked.tracking(), clock, null)
        .write(tracked.write());
  }

  private void take(ReferenceTable copy, EntityKey key) {
    if (!table.replace(key, table.read(key), copy.read(key))) {
      throw new IllegalStateException("transactions in memory are for one thread");
    }
  }

  private boolean hasRoom(Count count) {
    return counted(count.name()) < count.below();
  }

  private void add(Count count) {
    memory.counters.merge(count.name(), 1, Integer::sum);
  }

  @Override
  public Handled<String> handle(Delivered delivered, Runnable work, Count count) {
    String key = key(delivered.subscriber(), delivered.message());
    String nonce = UUID.randomUUID().toString();
    Duration claim = delivered.claim();
    if (claim == null) {
      return sent(key, nonce, false, work, count);
    }
    Entry end = new Entry(nonce, end(), clock.instant().plus(claim));
    if (!isClaimed(key, end)) {
      return answer(key);
    }
    try {
      Handled<String> handled = sent(key, nonce, true, work, count);
      if (handled instanceof Handled.Refused) {
        giveUp(key, nonce);
      }
      return handled;
    } catch (Throwable e) {
      giveUp(key, nonce);
      throw e;
    }
  }

  /** Claims a message, again where no reply comes; false where another has it. */
  private boolean isClaimed(String key, Entry claim) {
    Boolean claimed = null;
    while (claimed == null) {
      claimed = carried(() -> claims(key, claim));
    }
    return claimed;
  }

  private boolean claims(String key, Entry claim) {
    synchronized (memory) {
      Entry found = memory.inbox.get(key);
      if (found == null || found.isFree(clock.instant())) {
        memory.inbox.put(key, claim);
      }
      return claim.equals(memory.inbox.get(key));
    }
  }

  private void giveUp(String key, String nonce) {
    carried(
        () -> {
          synchronized (memory) {
            Entry found = memory.inbox.get(key);
            return found != null && found.isClaimOf(nonce) && memory.inbox.remove(key) != null;
          }
        });
  }

  /** What a write came to; null where it was turned away, or its reply was lost. */
  private @Nullable Boolean carried(Supplier<Boolean> write) {
    Boolean[] answer = {null};
    ReferenceWire.Fate fate = wire.carry(() -> answer[0] = write.get());
    return fate == ReferenceWire.Fate.ANSWERED ? answer[0] : null;
  }

  private Handled<String> sent(
      String key, String nonce, boolean claimed, Runnable work, Count count) {
    if (!claimed && !isFree(key)) {
      return answer(key);
    }
    work.run();
    synchronized (memory) {
      Entry found = memory.inbox.get(key);
      boolean mine = claimed ? found != null && found.isClaimOf(nonce) : isFree(key);
      if (!mine) {
        return answer(key);
      }
      if (!hasRoom(count)) {
        return new Handled.Refused<>(List.of(0));
      }
      memory.inbox.put(key, new Entry(nonce, end(), null));
      add(count);
      return new Handled.Applied<>("handled");
    }
  }

  private Instant end() {
    return clock.instant().plus(KEPT);
  }

  private boolean isFree(String key) {
    synchronized (memory) {
      Entry found = memory.inbox.get(key);
      return found == null || found.isFree(clock.instant());
    }
  }

  private Handled<String> answer(String key) {
    synchronized (memory) {
      Instant lease = Objects.requireNonNull(memory.inbox.get(key)).lease();
      return lease == null
          ? new Handled.Duplicate<>()
          : new Handled.InFlight<>(Duration.between(clock.instant(), lease).plusMillis(1));
    }
  }

  @Override
  public int counted(String name) {
    synchronized (memory) {
      return memory.counters.getOrDefault(name, 0);
    }
  }

  @Override
  public Inboxed inboxed(String subscriber, MessageId message) {
    synchronized (memory) {
      Entry found = memory.inbox.get(key(subscriber, message));
      if (found == null) {
        return Inboxed.NOTHING;
      }
      return found.lease() == null ? Inboxed.RECORD : Inboxed.CLAIM;
    }
  }

  private static String key(String subscriber, MessageId message) {
    return Text.join(List.of(subscriber, message.value()));
  }
}
