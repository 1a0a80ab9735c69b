package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Edit;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Relays that are wrong in one way each: their sources with a few words replaced. */
@DisplayName("The tests of relays catch")
final class OutboxMutantsTest {
  private static final List<Class<?>> TESTS =
      List.of(
          ConcurrentSenderTest.class,
          RelayHarmTest.class,
          LeasesTest.class,
          LongIntervalTest.class,
          ParkedMessagesTest.class,
          HeldLeasesTest.class,
          LargeRecordsTest.class,
          PatienceTest.class,
          RelaySendingTest.class,
          StandBackTest.class,
          TriesTest.class,
          DrainTest.class,
          ClusterPagesTest.class);

  @TempDir Path folder;

  /** A defect, and the test that is there for it. */
  record Mutant(Edit edit, String test) {
    @Override
    public String toString() {
      return edit + ": " + test;
    }
  }

  private static Mutant mutant(String name, String type, String sound, String wrong, String test) {
    return new Mutant(new Edit(name, type, sound, wrong), test);
  }

  static List<Mutant> all() {
    return List.of(
        mutant(
            "a message that is waited for without end",
            "ConcurrentSender",
            "if (begun.waits() < WAITS) {",
            "if (begun.waits() >= 0) {",
            "lost"),
        mutant(
            "a try counted against a message for which there was no thread",
            "SenderCall",
            "Faults.isOfProcess(error) ? Sent.deferred(error) :",
            "",
            "executors"),
        mutant(
            "a try counted against a message for which there was no thread, as its sender says",
            "SenderCall",
            "failed.blame() == Sent.Blame.UNKNOWN",
            "failed.blame() == null",
            "executors"),
        mutant(
            "a shard whose hints were dropped and at which nobody looks",
            "Leases",
            "shard.isTold &= shard.lease != null && shard.lease.isMine();",
            "",
            "lapsed"),
        mutant(
            "a try counted against what is on its way",
            "ConcurrentSender",
            "return Sent.deferred(",
            "return Sent.failed(",
            "onItsWay"),
        mutant(
            "a message that is sent again while it is on its way",
            "ConcurrentSender",
            "      keep(which, begun);\n      return",
            "      return",
            "onItsWay"),
        mutant(
            "a message forgotten since the thread was interrupted",
            "ConcurrentSender",
            "keep(Which.of(messages.get(i)), all.get(i));",
            "",
            "interrupted"),
        mutant(
            "a message that is taken for one of another table under its ID",
            "ConcurrentSender",
            "message.id(), message.storedAt(), message.message().topic(), message.origin()",
            "message.id(), Instant.EPOCH, \"\", \"\"",
            "sharedByTables"),
        mutant(
            "a thread left interrupted that nobody has interrupted",
            "Outgoing",
            "if (Uninterrupted.isTold(e)) {",
            "if (tally.isInterrupted) {",
            "senderInterrupted"),
        mutant(
            "a thread's own interrupt lost by a sender that was told of it",
            "Outgoing",
            "if (Uninterrupted.isTold(e)) {",
            "if (!tally.isInterrupted) {",
            "senderToldOfInterrupt"),
        mutant(
            "an instance that takes back at once what it has left to others",
            "Leases",
            "return nanos.getAsLong() - back < 0;",
            "return nanos.getAsLong() < 0;",
            "leaves"),
        mutant(
            "a relay that keeps what it cannot send from others that could",
            "VainPasses",
            "passes >= retries.most() &&",
            "passes >= 1_000 &&",
            "deferred"),
        mutant(
            "a relay that keeps shards at which it must not look",
            "VainPasses",
            "isOver |= looking.isOver(tally.unlooked, tally.looked);",
            "",
            "refusedLooks"),
        mutant(
            "a relay of hints that keeps shards of which it must not read",
            "Finding",
            "tally.looked(!looksAtAll, e);",
            "",
            "refusedReads"),
        mutant(
            "a relay that keeps shards in which it must not write",
            "VainPasses",
            "isOver |= clearing.isOver(tally.unwritten, tally.written + tally.refused);",
            "",
            "refusedWrites"),
        mutant(
            "a store that is blamed for ever though it has answered",
            "VainPasses",
            "passes = done > 0 ? 0 : passes;",
            "passes += 0;",
            "answersAgain"),
        mutant(
            "a store that is blamed for a record that cannot be read",
            "Tally",
            "isUnanswered |= !(error instanceof CorruptRecordException);",
            "isUnanswered = true;",
            "answered"),
        mutant(
            "a drain that has made no pass and tells of no error",
            "Drain",
            "none.error(new InterruptedException(why));",
            "",
            "interruptedBeforeTold"),
        mutant(
            "an error for one message that holds back the others",
            "ConcurrentSender",
            "catch (Throwable e) { // the other messages can be sent",
            "catch (RuntimeException e) {",
            "error"),
        mutant(
            "a drain that leaves the rest of an entity's messages to the next one",
            "Clearing",
            "due < drained ? due + (drained - due + 1) / 2 : now",
            "now",
            "manyOfOne"),
        mutant(
            "a drain that puts all that goes on to one time",
            "Clearing",
            "due < drained ? due + (drained - due + 1) / 2 : now",
            "Math.min(now, Math.max(due, drained))",
            "manyOfMany"),
        mutant(
            "a young message that waits for marks of old ones",
            "ClusterShard",
            "mayAsk = !isEnough();\n      addLatest(now, most, found);",
            "if (!isEnough()) {\n        addLatest(now, most, found);\n      }",
            "latest"),
        mutant(
            "marks of what others have sent that end a look",
            "ClusterShard",
            "mayAsk && unsent >= PORTION",
            "mayAsk && asked >= PORTION",
            "manySent"),
        mutant(
            "a look that stores nothing before its end",
            "ClusterShard",
            "asked % PORTION == 0",
            "asked < 0",
            "killed"),
        mutant(
            "a look that reads all marks before it lets anything be sent",
            "ClusterShard",
            "return hasFound && isLong();",
            "return false;",
            "killed"),
        mutant(
            "marks of a whole entity that are read before any message is sent",
            "ClusterView",
            "hasSome() && shard.isLong()",
            "false",
            "killedManyOfOne"),
        mutant(
            "a long look whose place is kept in mind alone",
            "ClusterShard",
            "if (isPlace && asked >= PORTION) {",
            "if (isPlace && !isPlace) {",
            "killed"),
        mutant(
            "a hint of a shard that the relay does not know",
            "Relay",
            "shard < 0 || shard >= records.shards() || hints.add(shard, record)",
            "hints.add(shard, record)",
            "unknownShards"),
        mutant(
            "a drop whose reply is lost that counts as none",
            "ParkedMessages",
            "last = unsure.error();\n        done.addAll(parked);",
            "last = unsure.error();",
            "lostDrops"),
        mutant(
            "a look whose error ends the relay",
            "Finding",
            "look.records()) {\n        add(shard, record, now, parcels, tally);\n      }\n    } catch (Throwable e)",
            "look.records()) {\n        add(shard, record, now, parcels, tally);\n      }\n    } catch (RuntimeException e)",
            "error"),
        mutant(
            "a clearing whose error ends the relay",
            "Clearing",
            "catch (Throwable e) { // a relay that ends sends nothing any more",
            "catch (RuntimeException e) {",
            "error"),
        mutant(
            "a renewal of a lease whose error ends the relay",
            "Leases",
            "catch (Throwable e) { // a relay that ends sends nothing any more",
            "catch (RuntimeException e) {",
            "error"),
        mutant(
            "a claim of a lease whose error ends the relay",
            "Leases",
            "catch (Throwable e) { // which the pass tells",
            "catch (RuntimeException e) {",
            "error"),
        mutant(
            "a lease that cannot be read taken from who may hold it",
            "Leases",
            "return asked - unreadable >= time.toNanos();",
            "return true;",
            "unreadable"),
        mutant(
            "a release of a lease whose error ends the relay",
            "Leases",
            "remove(shard));\n      } catch (Throwable e)",
            "remove(shard));\n      } catch (RuntimeException e)",
            "error"),
        mutant(
            "a shard's lease that counts from the answer",
            "Leases",
            "shard.lease = granted;",
            "shard.lease = Lease.asked(nanos, () -> store.clock().millis(), lease);",
            "held"),
        mutant(
            "a shard's lease that stands still while its machine is suspended",
            "Leases",
            "Lease.asked(nanos, () -> store.clock().millis(), lease)",
            "Lease.asked(nanos, () -> 0, lease)",
            "suspended"),
        mutant(
            "a lease that an interrupt keeps from being given back",
            "Leases",
            "Uninterrupted.run(() -> remove(shard));",
            "remove(shard);",
            "interrupted"),
        mutant(
            "what was sent left stored by an interrupt at the end",
            "Clearing",
            "Uninterrupted.call(() -> records.write(changes));",
            "records.write(changes);",
            "interruptedEnd"),
        mutant(
            "hints whose records are all read at once",
            "Finding",
            "List.copyOf(hinted.keySet()), left)",
            "List.copyOf(hinted.keySet()), Long.MAX_VALUE)",
            "hints"),
        mutant(
            "hints forgotten that a pass had no room for",
            "Finding",
            "hinted.forEach((key, shard) -> hints.add(shard, key)); // the next pass reads them",
            "",
            "hints"),
        mutant(
            "hints of others' messages that come again without end",
            "ClusteredRecords",
            ".map(one -> young(one).orElseGet(() -> OutboxRecord.nothing(one.key())))",
            ".flatMap(one -> young(one).stream())",
            "hintsOfOthers"),
        mutant(
            "turns whose records are all read at once",
            "ClusterShard",
            "records.readAll(keys, Math.max(1, left))",
            "records.readAll(keys, Long.MAX_VALUE)",
            "turns"),
        mutant(
            "a record of which only what may go is counted",
            "ClusterKey",
            "known ? known.stored.size() : record.size()",
            "known && known.stored.size() < 0 ? 0 : record.size()",
            "mixed"),
        mutant(
            "pages behind the first noted by no drain",
            "Succession",
            "(isLast && now - begun < delay() / 8)",
            "isLast && !isLast",
            "functions"),
        mutant(
            "a message that its own relay has put off, and takes for one of a clock that is ahead",
            "Finding",
            "storedAt > now && storedAt <= record.due()",
            "storedAt > now",
            "hintedAgain"),
        mutant(
            "a look at what is due later that begins anew each time",
            "ClusterShard",
            "Math.max(now + 1, ahead);",
            "now + 1;",
            "aheadBeforeDue"),
        mutant(
            "what a look has no room for left to the next round",
            "ClusterShard",
            "      if (found.size() > most) {\n        return at; // what is left out is looked at again\n      }\n",
            "",
            "leftOut"),
        mutant(
            "what cannot be sent in the place of what was not tried",
            "SightingsText",
            "return !isFull(room) || !tried.isEmpty();",
            "return !isFull(room);",
            "refused"),
        mutant(
            "what could not be sent kept in mind alone",
            "Sightings",
            "    if (hasTried) {",
            "    if (hasTried && isChanged) {",
            "refusedAtOnce"),
        mutant(
            "what was deferred taken for what is due far in the future",
            "Finding",
            "return storedAt > now && ",
            "return ",
            "deferred"),
        mutant(
            "a look ahead in a drain that ends with a few pages",
            "Finding",
            "if (look.goesOn() || look.records().size() == batch) {",
            "if (look.records().size() == batch) {",
            "aheadOwn"),
        mutant(
            "what is due far in the future left out behind the first of it",
            "Finding",
            "if (look.goesOn() || look.records().size() == batch) {",
            "if (look.goesOn()) {",
            "farAhead"),
        mutant(
            "a drain that tries again what it has put off itself",
            "Finding",
            "Math.min(now, until)",
            "now",
            "slowly"),
        mutant(
            "a drain that ends as nothing was sent",
            "Drain",
            "ended.removeAll(tally.found);",
            "",
            "behind"),
        mutant(
            "a drain that ends with hints left",
            "Drain",
            "isAtEnd = isWithoutHints &&",
            "isAtEnd =",
            "allHints"),
        mutant(
            "a drain that ends where a look has found nothing that can be read",
            "Drain",
            "ended.containsAll(tally.mine);",
            "tally.found.isEmpty();",
            "full"),
        mutant(
            "a relay that looks at no shard that it takes over",
            "Relay",
            "boolean looks = shards.hasNew() || asked;",
            "boolean looks = asked;",
            "takeover"),
        mutant(
            "a retry that is put off while there is something else to send",
            "Relay",
            "      if (drain == null) {\n        next = present + most.toNanos();",
            "      if (drain == null && rests) {\n        next = present + most.toNanos();",
            "atWork"),
        mutant(
            "a takeover whose look is the only one",
            "Relay",
            "next = rests ? now + interval.toNanos() : now;",
            "next = rests || asked ? now + interval.toNanos() : next;",
            "takeoverOfMore"),
        mutant(
            "a pass of a relay that has asked nothing, and says that the store answers",
            "Relay",
            "tally.goesOn(before, looks);",
            "",
            "tending"),
        mutant(
            "a hint that comes before its message is due, and is forgotten",
            "Finding",
            "clearing.holdBack(record);",
            "",
            "clockAhead"),
        mutant(
            "a read that failed and is not repeated before the next look",
            "Finding",
            "if (!looksAtAll || (answered && due.isEmpty())) {",
            "if (!looksAtAll || due.isEmpty()) {",
            "readFails"),
        mutant(
            "a retry that waits for the next look",
            "Relay",
            "drain == null ? made.untilRetry() : Optional.of(drain.left())",
            "drain == null ? Optional.empty() : Optional.of(drain.left())",
            "retry"),
        mutant(
            "a look for what came due before the last one",
            "Finding",
            "clearing.nextDue(seen)",
            "clearing.nextDue(Long.MIN_VALUE)",
            "gone"),
        mutant(
            "a drain that asks a store without end that takes no change",
            "Drain",
            "return isAtEnd || isStuck;",
            "return isAtEnd;",
            "stuck"),
        mutant(
            "a drain that rests for longer than it has time",
            "Relay",
            "drain == null ? made.untilRetry() : Optional.of(drain.left())",
            "Optional.empty()",
            "stuck"),
        mutant(
            "an outage's tries that count once it is over",
            "Patience",
            "Tries tries = before.andOne(counts);",
            "Tries tries = before.andOne(counts || before.all() > 5);",
            "outageOfFunctions"),
        mutant(
            "a hundredth try that counts as if it were the tenth",
            "Retries",
            "tries.all() - tries.counted() >=",
            "tries.all() >=",
            "outageOfFunctions"),
        mutant(
            "tries that an earlier version cannot read",
            "Tries",
            "return (long) counted << 32 | all;",
            "return (long) all << 32 | counted;",
            "stored"),
        mutant(
            "a failure judged by another name than what is sent",
            "Patience",
            "names.isEmpty() || answer instanceof Sent.Taken",
            "names.isEmpty()",
            "unnamed"),
        mutant(
            "a lease that is forgotten while it holds",
            "Leases",
            "(clock.millis() + millis) / 1_000 + KEPT_SECONDS",
            "clock.millis() / 1_000 + KEPT_SECONDS",
            "days"),
        mutant(
            "a shard taken from another that may still work on it",
            "Leases",
            "isTaken(chosen, nanos.getAsLong() + Math.max(lease.toNanos(), others), tally);",
            "isTaken(chosen, nanos.getAsLong(), tally);",
            "held"));
  }

  private static List<Class<?>> testsOf(String method) {
    return TESTS.stream()
        .filter(
            type ->
                Stream.of(type.getDeclaredMethods()).anyMatch(one -> one.getName().equals(method)))
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void caught(Mutant mutant) throws Exception {
    List<String> red = mutant.edit().red(folder, testsOf(mutant.test()));
    System.out.println("relay mutant caught: " + mutant + ": " + red);
    assertTrue(red.contains(mutant.test()), () -> "not caught: " + mutant + ", but " + red);
  }

  @Test
  @DisplayName("nothing in the sound ones, by the same way")
  void sound() throws Exception {
    assertEquals(List.of(), Edit.red(TESTS, folder));
  }
}
