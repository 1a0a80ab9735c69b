package dev.tidemark.outbox;

import dev.tidemark.mutants.SourceMutant;
import java.util.List;

/**
 * What {@link OutboxMutantsTest} replaces where relays send, and where they leave that to others.
 */
final class SendingMutants {
  private SendingMutants() {}

  static List<SourceMutant> all() {
    return List.of(
        SourceMutant.of(
            "a time of centuries that ends the relay's thread",
            "../kernel/Times",
            " || time.compareTo(MOST) > 0",
            "",
            LongTimesTest.class,
            "refused"),
        SourceMutant.of(
            "a shard below the first, in which messages wait",
            "ParkedMessages",
            "if (shard < 0) {",
            "if (shard < -9) {",
            ParkedMessagesTest.class,
            "listed"),
        SourceMutant.of(
            "a try forgotten that a record has no room for",
            "Patience",
            "tries.forEach((id, stored) -> keep(unnoted, id, stored));",
            "",
            FullRecordsTest.class,
            "poison"),
        SourceMutant.of(
            "a record without room that hides an interrupt of the sender's",
            "Tally",
            "return 3;",
            "return 1;",
            FullRecordsTest.class,
            "interrupted"),
        SourceMutant.of(
            "a deferral that forgets the tries of which a record has no note",
            "Patience",
            "before.stored(), false",
            "stored, false",
            PatienceTest.class,
            "keptInMind"),
        SourceMutant.of(
            "a message that holds up others where a record has no room to park it",
            "Parcel",
            "isHeld |= isOrdered(message);",
            "isHeld |= message.message().isOrdered();",
            FullRecordsTest.class,
            "poison"),
        SourceMutant.of(
            "a second message that is judged only once the first is parked",
            "Parcel",
            "goesOn = verdict.isOver() && isOver.test(message.id());",
            "goesOn = false;",
            FullRecordsTest.class,
            "poisons"),
        SourceMutant.of(
            "a record that is tried at once where it has no room for its pause",
            "Finding",
            "&& !clearing.isAtRest(record, now)",
            "",
            FullRecordsTest.class,
            "pauses"),
        SourceMutant.of(
            "a message that is waited for without end",
            "ConcurrentSender",
            "if (begun.waits() < WAITS) {",
            "if (begun.waits() >= 0) {",
            ConcurrentSenderTest.class,
            "lost"),
        SourceMutant.of(
            "a try counted against a message for which there was no thread",
            "SenderCall",
            "Faults.isOfProcess(error) ? Sent.deferred(error) :",
            "",
            PatienceTest.class,
            "executors"),
        SourceMutant.of(
            "a try counted against a message for which there was no thread, as its sender says",
            "SenderCall",
            "failed.blame() == Sent.Blame.UNKNOWN",
            "failed.blame() == null",
            PatienceTest.class,
            "executors"),
        SourceMutant.of(
            "a try counted against what is on its way",
            "ConcurrentSender",
            "return Sent.deferred(",
            "return Sent.failed(",
            ConcurrentSenderTest.class,
            "onItsWay"),
        SourceMutant.of(
            "a message that is sent again while it is on its way",
            "ConcurrentSender",
            "      keep(which, begun);\n      return",
            "      return",
            ConcurrentSenderTest.class,
            "onItsWay"),
        SourceMutant.of(
            "a message forgotten since the thread was interrupted",
            "ConcurrentSender",
            "keep(Which.of(messages.get(i)), all.get(i));",
            "",
            ConcurrentSenderTest.class,
            "interrupted"),
        SourceMutant.of(
            "an instance that takes back at once what it has left to others",
            "Leases",
            "return nanos.getAsLong() - back < 0;",
            "return nanos.getAsLong() < 0;",
            StandBackTest.class,
            "leaves"),
        SourceMutant.of(
            "a relay that keeps what it cannot send from others that could",
            "VainPasses",
            "passes >= retries.most() &&",
            "passes >= 1_000 &&",
            StandBackTest.class,
            "deferred"),
        SourceMutant.of(
            "a relay that keeps shards at which it must not look",
            "VainPasses",
            "isOver |= looking.isOver(tally.unlooked, tally.looked + tally.sent);",
            "",
            StandBackTest.class,
            "refusedLooks"),
        SourceMutant.of(
            "a relay of hints that keeps shards of which it must not read",
            "Finding",
            "tally.countLook(!looksAtAll, e);",
            "tally.unread(e);",
            StandBackTest.class,
            "refusedReads"),
        SourceMutant.of(
            "a relay that keeps shards in which it must not write",
            "VainPasses",
            "isOver |= clearing.isOver(tally.unwritten, tally.written + tally.refused);",
            "",
            StandBackTest.class,
            "refusedWrites"),
        SourceMutant.of(
            "a store that is blamed for ever though it has answered",
            "VainPasses",
            "passes = done > 0 ? 0 : passes;",
            "passes += 0;",
            StandBackTest.class,
            "answersAgain"),
        SourceMutant.of(
            "an error for one message that holds back the others",
            "ConcurrentSender",
            "catch (Throwable e) { // the other messages can be sent",
            "catch (RuntimeException e) {",
            ConcurrentSenderTest.class,
            "error"),
        SourceMutant.of(
            "a message that is taken for one of another table under its ID, whatever its time",
            "ConcurrentSender",
            "message.storedAt(), message",
            "Instant.EPOCH, message",
            ConcurrentSenderTest.class,
            "sharedByTables"),
        SourceMutant.of(
            "a message that is taken for one of another table under its ID, whatever its origin",
            "ConcurrentSender",
            "message.origin(), sent",
            "\"\", sent",
            ConcurrentSenderTest.class,
            "sharedByTables"),
        SourceMutant.of(
            "a message that is taken for one of another table under its ID, whatever its topic",
            "ConcurrentSender",
            "sent.topic(), content",
            "\"\", content",
            ConcurrentSenderTest.class,
            "sharedByTables"),
        SourceMutant.of(
            "a message that is taken for one of another table under its ID, whatever its payload",
            "ConcurrentSender",
            "Objects.hash(payload, ",
            "Objects.hash(",
            ConcurrentSenderTest.class,
            "sharedByTables"),
        SourceMutant.of(
            "a message that is taken for one of another table under its ID, whatever its key",
            "ConcurrentSender",
            "sent.key(), ",
            "",
            ConcurrentSenderTest.class,
            "sharedByTables"),
        SourceMutant.of(
            "a message that is taken for one of another table under its ID, whatever its type",
            "ConcurrentSender",
            "sent.type(), ",
            "",
            ConcurrentSenderTest.class,
            "sharedByTables"),
        SourceMutant.of(
            "a message that is taken for one of another table under its ID, whatever its headers",
            "ConcurrentSender",
            ", sent.headers()",
            "",
            ConcurrentSenderTest.class,
            "sharedByTables"),
        SourceMutant.of(
            "a drain whose last pass was interrupted, and that tells of an earlier error",
            "RelayPass",
            "Tally.told(error, next.error)",
            "error == null ? next.error : error",
            RelayHarmTest.class,
            "interruptedAfterAnError"),
        SourceMutant.of(
            "a cluster that sends at once, since its turn is later than a number can tell",
            "Succession",
            "Math.min(rank(message), most)",
            "rank(message)",
            LongTimesTest.class,
            "turns"),
        SourceMutant.of(
            "a released message parked at its first failure, since the reply of its parking was"
                + " lost",
            "Clearing",
            "patience.noted(change.parked());",
            "",
            FullRecordsTest.class,
            "parkedUnseen"),
        SourceMutant.of(
            "a released message parked at its first failure, since another relay had parked it",
            "Clearing",
            "found.parked().forEach(message -> patience.noted(Set.of(message.id())));",
            "",
            FullRecordsTest.class,
            "parkedByAnother"),
        SourceMutant.of(
            "messages of records that wait for their next turn kept in memory",
            "Turns",
            "bare.apply(key)",
            "key",
            ClusterPagesTest.class,
            "keptKeys"),
        SourceMutant.of(
            "messages of records that hints told of kept in memory",
            "Hints",
            "bare.apply(key)",
            "key",
            LargeRecordsTest.class,
            "keptKeys"),
        SourceMutant.of(
            "a relay that gives up shards in which it sends by hints, since it may not look",
            "VainPasses",
            "tally.looked + tally.sent);",
            "tally.looked);",
            StandBackTest.class,
            "sendsByHints"));
  }
}
