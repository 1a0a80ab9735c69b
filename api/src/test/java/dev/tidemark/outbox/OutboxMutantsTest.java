package dev.tidemark.outbox;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Relays that are wrong in one way each: their sources with a few words replaced. */
@DisplayName("The tests of relays catch")
final class OutboxMutantsTest {
  static List<SourceMutant> all() {
    return List.of(
        SourceMutant.of(
            "a shard whose hints were dropped and at which nobody looks",
            "Leases",
            "shard.isTold &= shard.lease != null && shard.lease.isMine();",
            "",
            LeasesTest.class,
            "lapsed"),
        SourceMutant.of(
            "a hint that decides whose a record is",
            "Finding",
            "record.shard() < 0 ? told : record.shard()",
            "told",
            HeldLeasesTest.class,
            "wrongHints"),
        SourceMutant.of(
            "two clusters whose names are joined to one",
            "Clusters",
            "name.contains(\"@\")",
            "name.isEmpty()",
            ClusterMarksTest.class,
            "names"),
        SourceMutant.of(
            "a thread left interrupted that nobody has interrupted",
            "Outgoing",
            "if (Uninterrupted.isTold(e)) {",
            "if (tally.isInterrupted) {",
            RelayHarmTest.class,
            "senderInterrupted"),
        SourceMutant.of(
            "a thread's own interrupt lost by a sender that was told of it",
            "Outgoing",
            "if (Uninterrupted.isTold(e)) {",
            "if (!tally.isInterrupted) {",
            RelayHarmTest.class,
            "senderToldOfInterrupt"),
        SourceMutant.of(
            "a store that is blamed for a record that cannot be read",
            "Tally",
            "isUnanswered |= !(error instanceof CorruptRecordException);",
            "isUnanswered = true;",
            RelaySendingTest.class,
            "answered"),
        SourceMutant.of(
            "a drain that has made no pass and tells of no error",
            "Drain",
            "none.interrupted(new InterruptedException(why));",
            "",
            RelayHarmTest.class,
            "interruptedBeforeTold"),
        SourceMutant.of(
            "a drain that leaves the rest of an entity's messages to the next one",
            "Clearing",
            "due < drained ? due + (drained - due + 1) / 2 : now",
            "now",
            ClusterPagesTest.class,
            "manyOfOne"),
        SourceMutant.of(
            "a drain that puts all that goes on to one time",
            "Clearing",
            "due < drained ? due + (drained - due + 1) / 2 : now",
            "Math.min(now, Math.max(due, drained))",
            ClusterPagesTest.class,
            "manyOfMany"),
        SourceMutant.of(
            "a young message that waits for marks of old ones",
            "ClusterShard",
            "mayAsk = !isEnough();\n      addLatest(now, most, found);",
            "if (!isEnough()) {\n        addLatest(now, most, found);\n      }",
            ClusterPagesTest.class,
            "latest"),
        SourceMutant.of(
            "marks of what others have sent that end a look",
            "ClusterShard",
            "mayAsk && unsent >= PORTION",
            "mayAsk && asked >= PORTION",
            ClusterPagesTest.class,
            "manySent"),
        SourceMutant.of(
            "a look that stores nothing before its end",
            "ClusterShard",
            "asked % PORTION == 0",
            "asked < 0",
            ClusterPagesTest.class,
            "killed"),
        SourceMutant.of(
            "a look that reads all marks before it lets anything be sent",
            "ClusterShard",
            "return hasFound && isLong();",
            "return false;",
            ClusterPagesTest.class,
            "killed"),
        SourceMutant.of(
            "marks of a whole entity that are read before any message is sent",
            "ClusterView",
            "hasSome() && shard.isLong()",
            "false",
            ClusterPagesTest.class,
            "killedManyOfOne"),
        SourceMutant.of(
            "a long look whose place is kept in mind alone",
            "ClusterShard",
            "if (isPlace && asked >= PORTION) {",
            "if (isPlace && !isPlace) {",
            ClusterPagesTest.class,
            "killed"),
        SourceMutant.of(
            "a hint of a shard that the relay does not know",
            "Relay",
            "shard < 0 || shard >= records.shards() || hints.add(shard, key)",
            "hints.add(shard, key)",
            LeasesTest.class,
            "unknownShards"),
        SourceMutant.of(
            "a drop whose reply is lost that counts as none",
            "ParkedMessages",
            "last = unsure.error();\n        done.addAll(parked);",
            "last = unsure.error();",
            ParkedMessagesTest.class,
            "lostDrops"),
        SourceMutant.of(
            "a look whose error ends the relay",
            "Finding",
            """
            look.records()) {
                    add(shard, record, now, parcels, tally);
                  }
                } catch (Throwable e)\
            """,
            """
            look.records()) {
                    add(shard, record, now, parcels, tally);
                  }
                } catch (RuntimeException e)\
            """,
            RelayHarmTest.class,
            "error"),
        SourceMutant.of(
            "a clearing whose error ends the relay",
            "Clearing",
            "catch (Throwable e) { // a relay that ends sends nothing any more",
            "catch (RuntimeException e) {",
            RelayHarmTest.class,
            "error"),
        SourceMutant.of(
            "a renewal of a lease whose error ends the relay",
            "Leases",
            "catch (Throwable e) { // a relay that ends sends nothing any more",
            "catch (RuntimeException e) {",
            LeasesTest.class,
            "error"),
        SourceMutant.of(
            "a claim of a lease whose error ends the relay",
            "Leases",
            "catch (Throwable e) { // which the pass tells",
            "catch (RuntimeException e) {",
            LeasesTest.class,
            "error"),
        SourceMutant.of(
            "a lease that cannot be read taken from who may hold it",
            "Leases",
            "return asked - unreadable >= time.toNanos();",
            "return true;",
            LeasesTest.class,
            "unreadable"),
        SourceMutant.of(
            "a release of a lease whose error ends the relay",
            "Leases",
            "remove(shard));\n      } catch (Throwable e)",
            "remove(shard));\n      } catch (RuntimeException e)",
            LeasesTest.class,
            "error"),
        SourceMutant.of(
            "a shard's lease that counts from the answer",
            "Leases",
            "shard.lease = granted;",
            "shard.lease = Lease.asked(nanos, () -> store.clock().millis(), lease);",
            HeldLeasesTest.class,
            "heldInFew"),
        SourceMutant.of(
            "a shard's lease that stands still while its machine is suspended",
            "Leases",
            "Lease.asked(nanos, () -> store.clock().millis(), lease)",
            "Lease.asked(nanos, () -> 0, lease)",
            LeasesTest.class,
            "suspended"),
        SourceMutant.of(
            "a lease that an interrupt keeps from being given back",
            "Leases",
            "Uninterrupted.run(() -> remove(shard));",
            "remove(shard);",
            LeasesTest.class,
            "interrupted"),
        SourceMutant.of(
            "what was sent left stored by an interrupt at the end",
            "Clearing",
            """
                      Uninterrupted.call(
                          () -> {
                            List<Answer> told = records.write(changes);
                            isCut[0] = Thread.currentThread().isInterrupted();
                            return told;
                          });
            """,
            "records.write(changes);\n",
            RelayHarmTest.class,
            "interruptedEnd"),
        SourceMutant.of(
            "hints whose records are all read at once",
            "Finding",
            "List.copyOf(hinted.keySet()), left)",
            "List.copyOf(hinted.keySet()), Long.MAX_VALUE)",
            LargeRecordsTest.class,
            "hints"),
        SourceMutant.of(
            "hints forgotten that a pass had no room for",
            "Finding",
            "hinted.forEach((key, shard) -> hints.add(shard, key)); // the next pass reads them",
            "",
            LargeRecordsTest.class,
            "hints"),
        SourceMutant.of(
            "hints of others' messages that come again without end",
            "ClusteredRecords",
            ".map(one -> young(one).orElseGet(() -> OutboxRecord.nothing(one.key())))",
            ".flatMap(one -> young(one).stream())",
            LargeRecordsTest.class,
            "hintsOfOthers"),
        SourceMutant.of(
            "turns whose records are all read at once",
            "ClusterShard",
            "records.readAll(keys, Math.max(1, left))",
            "records.readAll(keys, Long.MAX_VALUE)",
            LargeRecordsTest.class,
            "turns"),
        SourceMutant.of(
            "a record of which only what may go is counted",
            "ClusterKey",
            "known ? known.stored.size() : record.size()",
            "known && known.stored.size() < 0 ? 0 : record.size()",
            LargeRecordsTest.class,
            "mixed"),
        SourceMutant.of(
            "pages behind the first noted by no drain",
            "Succession",
            "(isLast && now - begun < delay() / 8)",
            "isLast && !isLast",
            ClusterPagesTest.class,
            "functions"),
        SourceMutant.of(
            "a message that its own relay has put off, and takes for one of a clock that is ahead",
            "Finding",
            "storedAt > now && storedAt <= record.due()",
            "storedAt > now",
            RelayHarmTest.class,
            "hintedAgain"),
        SourceMutant.of(
            "a look at what is due later that begins anew each time",
            "ClusterShard",
            "Math.max(now + 1, ahead);",
            "now + 1;",
            ClusterPagesTest.class,
            "aheadBeforeDue"),
        SourceMutant.of(
            "what a look has no room for left to the next round",
            "ClusterShard",
            """
                  if (found.size() > most) {
                    return at; // what is left out is looked at again
                  }
            """,
            "",
            ClusterPagesTest.class,
            "leftOut"),
        SourceMutant.of(
            "what cannot be sent in the place of what was not tried",
            "SightingsText",
            "return !isFull(room) || !tried.isEmpty();",
            "return !isFull(room);",
            ClusterPagesTest.class,
            "refused"),
        SourceMutant.of(
            "what could not be sent kept in mind alone",
            "Sightings",
            "    if (hasTried) {",
            "    if (hasTried && isChanged) {",
            ClusterPagesTest.class,
            "refusedAtOnce"),
        SourceMutant.of(
            "what was deferred taken for what is due far in the future",
            "Finding",
            "return storedAt > now && ",
            "return ",
            RelayHarmTest.class,
            "deferred"),
        SourceMutant.of(
            "a look ahead in a drain that ends with a few pages",
            "Finding",
            "if (look.goesOn() || look.records().size() == batch) {",
            "if (look.records().size() == batch) {",
            ClusterPagesTest.class,
            "aheadOwn"),
        SourceMutant.of(
            "what is due far in the future left out behind the first of it",
            "Finding",
            "if (look.goesOn() || look.records().size() == batch) {",
            "if (look.goesOn()) {",
            DrainTest.class,
            "farAhead"),
        SourceMutant.of(
            "a drain that tries again what it has put off itself",
            "Finding",
            "Math.min(now, until)",
            "now",
            DrainTest.class,
            "slowly"),
        SourceMutant.of(
            "a drain that ends as nothing was sent",
            "Drain",
            "ended.removeAll(tally.found);",
            "",
            DrainTest.class,
            "behind"),
        SourceMutant.of(
            "a drain that ends with hints left",
            "Drain",
            "isAtEnd = isWithoutHints &&",
            "isAtEnd =",
            DrainTest.class,
            "allHints"),
        SourceMutant.of(
            "a drain that ends where a look has found nothing that can be read",
            "Drain",
            "ended.containsAll(tally.mine);",
            "tally.found.isEmpty();",
            DrainTest.class,
            "full"),
        SourceMutant.of(
            "a relay that looks at no shard that it takes over",
            "Relay",
            "boolean looks = shards.hasNew() || asked;",
            "boolean looks = asked;",
            LongIntervalTest.class,
            "takeover"),
        SourceMutant.of(
            "a retry that is put off while there is something else to send",
            "Relay",
            "      if (drain == null) {\n        next = present + most.toNanos();",
            "      if (drain == null && rests) {\n        next = present + most.toNanos();",
            LongIntervalTest.class,
            "atWork"),
        SourceMutant.of(
            "a takeover whose look is the only one",
            "Relay",
            "next = rests ? now + interval.toNanos() : now;",
            "next = rests || asked ? now + interval.toNanos() : next;",
            LongIntervalTest.class,
            "takeoverOfMore"),
        SourceMutant.of(
            "a pass of a relay that has asked nothing, and says that the store answers",
            "Relay",
            "tally.goesOn(before, looks);",
            "",
            LongIntervalTest.class,
            "tending"),
        SourceMutant.of(
            "a hint that comes before its message is due, and is forgotten",
            "Finding",
            "clearing.holdBack(record);",
            "",
            LongIntervalTest.class,
            "clockAhead"),
        SourceMutant.of(
            "a read that failed and is not repeated before the next look",
            "Finding",
            "if (!looksAtAll || (answered && due.isEmpty())) {",
            "if (!looksAtAll || due.isEmpty()) {",
            LongIntervalTest.class,
            "readFails"),
        SourceMutant.of(
            "a retry that waits for the next look",
            "Relay",
            "drain == null ? made.untilRetry() : Optional.of(drain.left())",
            "drain == null ? Optional.empty() : Optional.of(drain.left())",
            LongIntervalTest.class,
            "retry"),
        SourceMutant.of(
            "a look for what came due before the last one",
            "Finding",
            "clearing.nextDue(seen)",
            "clearing.nextDue(Long.MIN_VALUE)",
            LongIntervalTest.class,
            "gone"),
        SourceMutant.of(
            "a drain that asks a store without end that takes no change",
            "Drain",
            "return isAtEnd || isStuck;",
            "return isAtEnd;",
            DrainTest.class,
            "stuck"),
        SourceMutant.of(
            "a drain that rests for longer than it has time",
            "Relay",
            "drain == null ? made.untilRetry() : Optional.of(drain.left())",
            "Optional.empty()",
            DrainTest.class,
            "stuck"),
        SourceMutant.of(
            "an outage's tries that count once it is over",
            "Patience",
            "Tries tries = before.andOne(counts);",
            "Tries tries = before.andOne(counts || before.all() > 5);",
            PatienceTest.class,
            "outageOfFunctions"),
        SourceMutant.of(
            "a hundredth try that counts as if it were the tenth",
            "Retries",
            "tries.all() - tries.counted() >=",
            "tries.all() >=",
            PatienceTest.class,
            "outageOfFunctions"),
        SourceMutant.of(
            "tries that an earlier version cannot read",
            "Tries",
            "return (long) counted << 32 | all;",
            "return (long) all << 32 | counted;",
            TriesTest.class,
            "stored"),
        SourceMutant.of(
            "a failure judged by another name than what is sent",
            "Patience",
            "names.isEmpty() || answer instanceof Sent.Taken",
            "names.isEmpty()",
            PatienceTest.class,
            "unnamed"),
        SourceMutant.of(
            "an answer that an interrupt has cut short, and is not asked for again",
            "Clearing",
            "!isCut[0] || !isUnsure(answers.get(i))",
            "true",
            RelayHarmTest.class,
            "interruptedEndUnsure"),
        SourceMutant.of(
            "long queues that keep their places in front of all others",
            "Parcel",
            "waves < Outgoing.WAVES ? found.due() : next",
            "found.due()",
            RelayTest.class,
            "longQueues"),
        SourceMutant.of(
            "a message of another cluster that is parked",
            "Parcel",
            "verdict.isOver() && ClusterKey.isOwn(found)",
            "verdict.isOver()",
            ClusterPagesTest.class,
            "parksNone"),
        SourceMutant.of(
            "leases that cannot be written, of which nothing tells",
            "Leases",
            "throw failed.error();",
            "return false;",
            LeasesTest.class,
            "broken"),
        SourceMutant.of(
            "a relay without shards that never hears of the store again",
            "Tally",
            "!isAsked && !isTended && before.isUntended",
            "!isAsked && before.isUntended",
            LongIntervalTest.class,
            "standingBy"),
        SourceMutant.of(
            "a lease that is forgotten while it holds",
            "Leases",
            "(clock.millis() + millis) / 1_000 + KEPT_SECONDS",
            "clock.millis() / 1_000 + KEPT_SECONDS",
            LeasesTest.class,
            "days"),
        SourceMutant.of(
            "a shard taken from another that may still work on it",
            "Leases",
            "isTaken(chosen, nanos.getAsLong() + Math.max(lease.toNanos(), others), tally);",
            "isTaken(chosen, nanos.getAsLong(), tally);",
            HeldLeasesTest.class,
            "heldInFew"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"all", "dev.tidemark.outbox.SendingMutants#all"})
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
