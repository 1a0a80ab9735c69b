package dev.tidemark.spring;

import dev.tidemark.outbox.ClusteredRecords;
import dev.tidemark.outbox.OutboxRecords;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Which records have a relay: one of each name, and none that {@link ClusteredRecords} are made of,
 * since a relay of these would send what other clusters published.
 */
final class RelayedRecords {
  private RelayedRecords() {}

  /**
   * Those of beans, by their name. The stored records of a cluster may be a bean beside the
   * cluster's, for whoever looks after what is parked in them.
   */
  static Map<String, OutboxRecords> ofBeans(List<OutboxRecords> beans) {
    List<OutboxRecords> stored = stored(beans);
    Stream<OutboxRecords> relayed =
        beans.stream()
            .filter(
                records -> {
                  boolean isClustered = stored.stream().anyMatch(one -> one == records);
                  if (!isClustered && isNameOf(stored, records.name())) { // perhaps elsewhere
                    throw otherThanClustered(records.name());
                  }
                  return !isClustered;
                });
    return byName(
        relayed,
        (one, other) -> one == other,
        name -> {
          throw twoOfOneName(name);
        });
  }

  /**
   * Those of sources, by their name, that have no relay as a bean.
   *
   * @param refused gets what is wrong with others
   */
  static Map<String, OutboxRecords> ofSources(
      Map<String, OutboxRecords> beans,
      Stream<OutboxRecords> sourced,
      Consumer<RuntimeException> refused) {
    Map<String, OutboxRecords> named =
        byName(
            Stream.concat(beans.values().stream(), sourced),
            Object::equals,
            name -> refused.accept(twoOfOneName(name)));
    List<OutboxRecords> stored = stored(named.values());
    named.keySet().removeAll(beans.keySet()); // which have relays already
    named
        .values()
        .removeIf(
            records -> {
              String name = stored(records).name();
              boolean isRefused =
                  records instanceof ClusteredRecords
                      ? beans.containsKey(name)
                      : isNameOf(stored, name);
              if (isRefused) {
                refused.accept(besideCluster(name));
              }
              return isRefused;
            });
    return named;
  }

  /** The records as they are stored. */
  static OutboxRecords stored(OutboxRecords records) {
    return records instanceof ClusteredRecords of ? of.stored() : records;
  }

  /** What the clustered ones among records are made of. */
  private static List<OutboxRecords> stored(Collection<OutboxRecords> all) {
    return all.stream()
        .filter(ClusteredRecords.class::isInstance)
        .map(RelayedRecords::stored)
        .toList();
  }

  private static boolean isNameOf(List<OutboxRecords> records, String name) {
    return records.stream().anyMatch(one -> one.name().equals(name));
  }

  /**
   * Leases, meters and health know records by their name: of two, the first is sent alone.
   *
   * @param areSame tells records that are named twice, as a source may make them anew each time
   * @param ambiguous gets the names of others
   */
  private static Map<String, OutboxRecords> byName(
      Stream<? extends OutboxRecords> all,
      BiPredicate<OutboxRecords, OutboxRecords> areSame,
      Consumer<String> ambiguous) {
    Map<String, OutboxRecords> named = new LinkedHashMap<>();
    all.forEach(
        records -> {
          OutboxRecords other = named.putIfAbsent(records.name(), records);
          if (other != null && !areSame.test(other, records)) {
            ambiguous.accept(records.name());
          }
        });
    return named;
  }

  /** Records that must not have a relay; the text names no more than a table. */
  static final class Refused extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private Refused(String text) {
      super(text);
    }
  }

  /** Two records that nobody can tell apart. */
  private static Refused twoOfOneName(String name) {
    return new Refused(
        "two OutboxRecords have the name "
            + name
            + ", by which leases, meters and health know a relay: name each table once. Tables of"
            + " one name in two accounts, regions or servers need an application each, with"
            + " leases in different tables");
  }

  /** Records that may be those that clustered ones are made of, and need not be. */
  private static Refused otherThanClustered(String name) {
    return new Refused(
        "a bean of OutboxRecords has the name "
            + name
            + ", as the records have that ClusteredRecords are made of, and is not these: make the"
            + " ClusteredRecords of that very bean, or, if it is for operators, give it"
            + " defaultCandidate = false. A table of that name elsewhere needs an application of"
            + " its own");
  }

  /** Records of all clusters beside those of one. */
  private static Refused besideCluster(String name) {
    return new Refused(
        "the OutboxRecords "
            + name
            + " are named beside ClusteredRecords of that name. A relay of both would send"
            + " what other clusters published: let sources name the ClusteredRecords alone, and"
            + " make these a bean where the stored records are one");
  }
}
