package dev.tidemark.tck.contract;

import dev.tidemark.mutants.SourceMutant;
import dev.tidemark.tck.ReferenceBackend;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The contracts of relays and their records catch")
final class RelayMutantsTest {
  private static final Path RELAY = Path.of("../api/src/main/java/dev/tidemark/outbox");
  private static final Path RECORDS = Path.of("src/main/java/dev/tidemark/tck");

  /** The contracts in memory, for {@link SourceMutant} to make. */
  static final class InMemory {
    private final RelayContract relay = new RelayContract(new ReferenceBackend());
    private final SendersContract senders = new SendersContract(new ReferenceBackend());
    private final RelayHarmContract harm = new RelayHarmContract(new ReferenceBackend());
    private final OutboxRacesContract races = new OutboxRacesContract(new ReferenceBackend());
    private final OutboxShardsContract shards = new OutboxShardsContract(new ReferenceBackend());
    private final OutboxRecordsContract records = new OutboxRecordsContract(new ReferenceBackend());

    void order() {
      relay.order();
    }

    void poison() {
      relay.poison();
    }

    void unordered() {
      relay.unordered();
    }

    void meanwhile() {
      relay.meanwhile();
    }

    void leases() {
      relay.leases();
    }

    void killed() {
      relay.killed();
    }

    void takeover() {
      relay.takeover();
    }

    void whole() {
      senders.whole();
    }

    void each() {
      senders.each();
    }

    void deferred() {
      senders.deferred();
    }

    void topics() {
      senders.topics();
    }

    void interrupted() {
      harm.interrupted();
    }

    void ahead() {
      harm.ahead();
    }

    void large() {
      harm.large();
    }

    void unreadable() {
      harm.unreadable();
    }

    void publishedSince() {
      races.publishedSince();
    }

    void triesOfAnother() {
      races.triesOfAnother();
    }

    void emptiedSince() {
      races.emptiedSince();
    }

    void released() {
      shards.released();
    }

    void parked() {
      records.parked();
    }

    void empty() {
      records.empty();
    }

    void tombstones() {
      records.tombstones();
    }
  }

  private static SourceMutant relay(
      String name, String type, String sound, String wrong, String test) {
    return new SourceMutant(
        name, RELAY.resolve(type + ".java"), sound, wrong, InMemory.class, test);
  }

  private static SourceMutant records(String name, String sound, String wrong, String test) {
    return new SourceMutant(
        name, RECORDS.resolve("MemoryOutboxRecords.java"), sound, wrong, InMemory.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        relay(
            "taken off before it is sent",
            "Relay",
            "    outgoing.send(\n",
            """
                for (Parcel parcel : parcels) {
                  Parcel early =
                      new Parcel(parcel.shard(), parcel.record(), java.util.Set.of(), id -> false);
                  parcel.record().waiting().forEach(early::sent);
                  clearing.clear(List.of(early), new Tally());
                }
                outgoing.send(
            """,
            "poison"),
        relay(
            "taken off by position",
            "Parcel",
            ".filter(sent::contains)",
            ".limit(sent.size())",
            "unordered"),
        relay(
            "taken off with what was not sent",
            "Parcel",
            ".filter(sent::contains)",
            ".filter(id -> !sent.isEmpty())",
            "poison"),
        relay(
            "a parked message that blocks the later ones",
            "Parcel",
            "due = isParked ? next :",
            "due = isParked ? next + 86_400_000L :",
            "poison"),
        relay(
            "a poisoned message that is never parked",
            "Retries",
            "return tries.counted() >= most || tries.all() - tries.counted() >= most * PATIENCE;",
            "return false;",
            "poison"),
        relay(
            "a lease that ends by the clock",
            "Leases",
            "&& unchanged >= Duration.ofMillis(found.leaseMillis()).toNanos();",
            "&& found.leaseEnd() < System.currentTimeMillis();",
            "takeover"),
        relay(
            "a lease that others ignore",
            "Leases",
            "return found == null || isSilent() ? null",
            "return found == null || !found.owner().isEmpty() ? null",
            "leases"),
        relay(
            "a lease that outlives its owner's stop",
            "Leases",
            "store.remove(shard.key, shard.found.revision());",
            "new Answer.Written<>();",
            "leases"),
        relay(
            "an order within an entity that is ignored",
            "Parcel",
            "} else if (isOrdered(message)) {",
            "} else if (message.id().isEmpty()) {",
            "poison"),
        relay(
            "later messages that overtake one that failed",
            "Parcel",
            "isHeld |= isOrdered(message);",
            "isHeld = false;",
            "poison"),
        relay(
            "a pause that nobody keeps",
            "Retries",
            "return pauses.after(tries).toMillis();",
            "return 0;",
            "poison"),
        relay(
            "taken off behind the last wave only",
            "Relay",
            "          clearing.takeOff(parcels, tally);\n",
            "",
            "killed"),
        relay(
            "a failure taken for a message that was sent",
            "Outgoing",
            "if (answer instanceof Sent.Failed failed) {",
            "if (answer instanceof Sent.Failed failed && failed.error() == null) {",
            "unordered"),
        relay(
            "a call that failed as a whole counted for each of its messages",
            "Outgoing",
            "      singly(posted, mine, behind, tally);\n",
            "      posted.forEach(one -> tell(one, Sent.failed(failure), tally));\n",
            "whole"),
        relay(
            "a function's error for one message taken for that of all",
            "Sender",
            "} catch (Throwable e) { // the other",
            "} catch (Exception e) { // the other",
            "each"),
        relay(
            "a broker's fault counted against the message",
            "Patience",
            "if (failure.blame() == Blame.DESTINATION) {",
            "if (failure.blame() == null) {",
            "deferred"),
        relay(
            "a topic that is away for which another one answers",
            "Patience",
            "return last != null && (start - last) / 1_000_000 <= pause;",
            "return !taken.isEmpty();",
            "topics"),
        relay(
            "a refusal taken for the end",
            "Clearing",
            "if (refused.found() == null) {",
            "if (refused.found() != change.before()) {",
            "meanwhile"),
        relay(
            "an index that is not looked at, as if hints told everything",
            "Finding",
            "} else if (looks) {",
            "} else if (!looks) {",
            "order"),
        relay(
            "waves that go on where the thread is interrupted",
            "Outgoing",
            "return tally.isInterrupted || Thread.currentThread().isInterrupted();",
            "return tally.isInterrupted;",
            "interrupted"),
        relay(
            "what is due far in the future left to its time",
            "Finding",
            "return storedAt > now && storedAt <= record.due();",
            "return false;",
            "ahead"),
        relay(
            "a look that never goes ahead",
            "Finding",
            "if (nanos.getAsLong() - nextAhead[shard] >= 0) {",
            "if (nextAhead.length == 0) {",
            "ahead"),
        relay(
            "a pass that takes all that there is",
            "Finding",
            "      left -= ClusterKey.size(record);\n",
            "",
            "large"),
        relay(
            "a record that cannot be read counted by nobody",
            "Tally",
            "    unreadable += look.unreadable();\n",
            "",
            "unreadable"),
        records(
            "a change that leaves nothing and drops what came since",
            """
                  if (found == null || !isThere(change, found)) {
                    return new Answer.Refused(found);
                  }
                  OutboxRecord after = found.after(change);
            """,
            """
                  if (found == null) {
                    return new Answer.Refused(found);
                  }
                  OutboxRecord after = change.before().after(change);
            """,
            "publishedSince"),
        records(
            "a change of an emptied record that leaves something",
            "if (found == null || !isThere(change, found)) {",
            "found = row.record();\n      if (!isThere(change, found) && found.isEmpty()) {",
            "emptiedSince"),
        records(
            "a try counted against another message",
            "        && first(left).equals(first(meant))\n",
            "",
            "triesOfAnother"),
        records(
            "a parked message that is due",
            "after.waiting().isEmpty() ? -1 - shard : shard",
            "shard",
            "parked"),
        records(
            "a released message in a shard that no relay looks at",
            "Outbox.shard(shard(), shards)",
            "Outbox.shard(shard(), 256)",
            "released"),
        records(
            "an index that keeps what is empty",
            "        result.remove(names.outboxShard());\n",
            "",
            "empty"),
        records(
            "a tombstone that nobody collects",
            "return until >= Outbox.WAITING ? until - Outbox.WAITING : until;",
            "return until;",
            "tombstones"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
