package dev.tidemark.kernel;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.IdPolicy;
import dev.tidemark.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The slots in which message IDs are kept: an open one, to which writes add blindly, and up to two
 * closed ones. Once the open slot is both old and large enough, one write closes it into a free
 * slot and opens another; slots that the policy no longer needs are dropped in that write, and all
 * take the form that the policy asks for.
 */
final class Slots {
  /** A closed slot. */
  private record Closed(int index, Set<Object> ids, long at) {}

  private final Names names;
  private final IdPolicy policy;
  private final Set<Object> open;
  private final List<Closed> closed = new ArrayList<>();
  private boolean stamped = true;

  private Slots(Names names, IdPolicy policy, Set<Object> open) {
    this.names = names;
    this.policy = policy;
    this.open = open;
  }

  static Slots read(Map<String, Object> flat, Names names, IdPolicy policy) {
    Slots slots = new Slots(names, policy, ids(flat, names.ids(0)));
    Object stamps = flat.get(names.closed());
    for (int i = 1; i <= Names.CLOSED_SLOTS; i++) {
      Set<Object> ids = ids(flat, names.ids(i));
      if (!ids.isEmpty()) {
        Long at = stamp(stamps, i);
        slots.closed.add(new Closed(i, ids, at == null ? 0 : at));
        slots.stamped &= at != null;
      }
    }
    slots.closed.sort(Comparator.comparingLong(Closed::at).reversed());
    return slots;
  }

  private static Set<Object> ids(Map<String, Object> flat, String name) {
    Object stored = flat.get(name);
    if (stored == null) {
      return Set.of();
    }
    if (stored instanceof Set<?> ids) {
      return new LinkedHashSet<>(ids);
    }
    throw new CorruptRecordException("'" + name + "' is not a set of message IDs", null, null);
  }

  /** Null where it cannot be read: that matters to the write that closes a slot, no earlier. */
  private static @Nullable Long stamp(@Nullable Object stamps, int slot) {
    return stamps instanceof List<?> list
            && list.size() == Names.CLOSED_SLOTS
            && list.get(slot - 1) instanceof Number stamp
        ? (Long) stamp.longValue()
        : null;
  }

  boolean remembers(List<Object> forms) {
    return forms.stream()
        .anyMatch(id -> open.contains(id) || closed.stream().anyMatch(s -> s.ids().contains(id)));
  }

  /** How long the open slot is filled before it may be closed. */
  static Duration span(IdPolicy policy) {
    Duration horizon = policy.keptFor().orElse(Duration.ZERO);
    return horizon.plus(policy.maxSkew()).dividedBy(Names.CLOSED_SLOTS);
  }

  /** How many ids the open slot takes before it may be closed. */
  static int capacity(IdPolicy policy) {
    int share = (policy.last() + Names.CLOSED_SLOTS - 1) / Names.CLOSED_SLOTS;
    return Math.max(Judge.SLACK, share);
  }

  /**
   * The operations that close the open slot and open another with the id in it, if there is one.
   */
  List<Operation> rotate(@Nullable Object id, Instant now) {
    if (!stamped) {
      throw new CorruptRecordException(
          "'" + names.closed() + "' is not a list of two times", null, null);
    }
    List<Closed> kept = new ArrayList<>();
    int newest = open.size() + (id == null ? 0 : 1);
    closed.stream()
        .filter(slot -> isNeeded(slot, newest, now))
        .map(this::inForm)
        .forEach(kept::add);
    if (kept.size() == Names.CLOSED_SLOTS) {
      Closed oldest = kept.remove(kept.size() - 1);
      Closed older = kept.remove(kept.size() - 1);
      Set<Object> both = new LinkedHashSet<>(oldest.ids());
      both.addAll(older.ids());
      kept.add(new Closed(older.index(), both, older.at()));
    }
    if (!open.isEmpty()) {
      kept.add(new Closed(freeIndex(kept), inForm(names.ids(0), open), stamp(now)));
    }
    return operations(kept, id, now);
  }

  private Closed inForm(Closed slot) {
    return new Closed(slot.index(), inForm(names.ids(slot.index()), slot.ids()), slot.at());
  }

  private Set<Object> inForm(String name, Set<Object> ids) {
    Set<Object> same = new LinkedHashSet<>();
    ids.forEach(id -> same.add(Ids.inForm(name, id, policy.isCompact())));
    return same;
  }

  /** The time of closing, later than that of any slot even where a clock stands or is behind. */
  private long stamp(Instant now) {
    long newest = closed.isEmpty() ? 0 : closed.get(0).at();
    return Math.max(now.toEpochMilli(), newest + 1);
  }

  /** Whether a closed slot has some of what is to be remembered, beside IDs that are in none. */
  private boolean isNeeded(Closed slot, int newest, Instant now) {
    if (policy.keptFor().isPresent()) {
      Duration kept = policy.keptFor().get().plus(policy.maxSkew());
      Instant end = Instant.ofEpochMilli(slot.at()).plus(kept);
      return end.isAfter(now);
    }
    int newer = closed.stream().filter(s -> s.at() > slot.at()).mapToInt(s -> s.ids().size()).sum();
    return policy.last() == 0 || newest + newer < policy.last();
  }

  private static int freeIndex(List<Closed> kept) {
    int index = 1;
    while (isTaken(kept, index)) {
      index++;
    }
    return index;
  }

  private static boolean isTaken(List<Closed> kept, int index) {
    return kept.stream().anyMatch(s -> s.index() == index);
  }

  private List<Operation> operations(List<Closed> kept, @Nullable Object id, Instant now) {
    List<Operation> operations = new ArrayList<>();
    Long[] stamps = new Long[Names.CLOSED_SLOTS];
    Arrays.fill(stamps, 0L);
    for (Closed slot : kept) {
      stamps[slot.index() - 1] = slot.at();
      if (!closed.contains(slot)) {
        operations.add(assign(names.ids(slot.index()), slot.ids()));
      }
    }
    for (Closed slot : closed) {
      if (!isTaken(kept, slot.index())) {
        operations.add(Operation.remove(names.path(names.ids(slot.index()))));
      }
    }
    operations.add(assign(names.closed(), List.of(stamps)));
    operations.add(
        id == null ? Operation.remove(names.path(names.ids(0))) : assign(names.ids(0), Set.of(id)));
    operations.add(
        id != null && policy.keptFor().isPresent()
            ? assign(names.since(), now.toEpochMilli())
            : Operation.remove(names.path(names.since())));
    return operations;
  }

  private Operation assign(String name, Object value) {
    return Operation.assign(names.path(name), value);
  }
}
