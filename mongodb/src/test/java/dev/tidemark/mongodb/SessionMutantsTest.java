package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes that go past the session of their transaction: sources with a few words replaced. */
@DisplayName("The tests of transactions and the inbox on MongoDB catch")
final class SessionMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = MongoServers.uri();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "an insert of the caller's own that forgets the session",
            "SessionCollection",
            "collection.insertOne(session, document)",
            "collection.insertOne(document)",
            MongoTransactionTest.class,
            "own"),
        SourceMutant.of(
            "an update of the caller's own that forgets the session",
            "SessionCollection",
            "collection.updateOne(session, filter, update, options)",
            "collection.updateOne(filter, update, options)",
            MongoInboxTest.class,
            "thrown"),
        SourceMutant.of(
            "an entity with other routing fields, as the server tells it",
            "Replies",
            "kind == Errors.Kind.KEY_TAKEN && !runner.key().routing().isEmpty()",
            "kind == null",
            MongoTransactionTest.class,
            "routedElsewhere"),
        SourceMutant.of(
            "a tracked write that forgets the session",
            "Transport",
            "this.writes = SessionBound.of(shared.writes, session);",
            "this.writes = shared.writes;",
            MongoTransactionTest.class,
            "refused"),
        SourceMutant.of(
            "a read before a tracked write that forgets the session",
            "Transport",
            "this.reads = SessionBound.of(shared.reads, session);",
            "this.reads = shared.reads;",
            MongoTransactionTest.class,
            "session"),
        SourceMutant.of(
            "a read that waits for what its transaction never sees",
            "Waits",
            "if (transport.inSession() &&",
            "if (!transport.inSession() &&",
            WaitingTest.class,
            "inTransaction"),
        SourceMutant.of(
            "a message that is handled once its handler has begun",
            "MongoInbox",
            "if (value != null) {",
            "if (value == this) {",
            MongoInboxClaimsTest.class,
            "futures"),
        SourceMutant.of(
            "a message that is kept for longer than any record lives",
            "MongoInbox",
            "Times.positive(\"keptFor\", keptFor)",
            "keptFor",
            MongoInboxClaimsTest.class,
            "forEver"),
        SourceMutant.of(
            "a record of the inbox that forgets the session",
            "MongoInbox",
            ".findOneAndUpdate(\n            session,\n",
            ".findOneAndUpdate(\n",
            MongoInboxTest.class,
            "thrown"),
        SourceMutant.of(
            "a caught error that lets the whole run again",
            "SessionScope",
            "first == null ? thrown : first",
            "thrown",
            MongoInboxTest.class,
            "caughtError"),
        SourceMutant.of(
            "a read's caught error that nobody sees",
            "SessionScope",
            "return reads(type) ? watched(type, result) : result;",
            "return result;",
            MongoInboxTest.class,
            "caughtErrorOfRead"),
        SourceMutant.of(
            "a caught error of more that is read by Java's default methods, which nobody sees",
            "SessionScope",
            "method.isDefault() &&",
            "false &&",
            BrokenTransactionsTest.class,
            "noMore"),
        SourceMutant.of(
            "a message's caught error that nobody sees",
            "SessionScope",
            "      failed(e);\n      throw e;",
            "      throw e;",
            MongoInboxTest.class,
            "caughtErrorOfRead"),
        SourceMutant.of(
            "a claim of a message that counts whenever it is answered",
            "InboxClaim",
            "if (held.isHalfLeft()) {",
            "if (held != null) {",
            MongoInboxClaimsTest.class,
            "claimedLate"),
        SourceMutant.of(
            "a call without a connection, as a bug of the handler's",
            "SessionScope",
            "e instanceof MongoConnectionPoolClearedException",
            "false",
            BrokenTransactionsTest.class,
            "poolCleared"),
        SourceMutant.of(
            "a call whose server is gone, as a bug of the handler's",
            "SessionScope",
            "\n        || e instanceof MongoServerUnavailableException;",
            ";",
            BrokenTransactionsTest.class,
            "serverGone"),
        SourceMutant.of(
            "a commit in doubt whose server is gone, as the last word",
            "SessionScope",
            "\n        || e instanceof MongoServerUnavailableException;",
            ";",
            BrokenTransactionsTest.class,
            "commitInDoubtServerGone"),
        SourceMutant.of(
            "a commit in doubt that is run again",
            "Transactions",
            "            || SessionScope.isUnsent(e)) {",
            "            || false) {",
            BrokenTransactionsTest.class,
            "commitInDoubt"),
        SourceMutant.of(
            "a lost reply that nobody remembers once it is caught",
            "SessionScope",
            "        failed(error);",
            "        if (error instanceof com.mongodb.MongoServerException) failed(error);",
            BrokenTransactionsTest.class,
            "lostReply"),
        SourceMutant.of(
            "a lost reply of a message that nobody remembers once it is caught",
            "SessionScope",
            "      failed(e);\n      throw e;",
            "      if (e instanceof com.mongodb.MongoServerException) failed(e);\n      throw e;",
            BrokenTransactionsTest.class,
            "lostReplyOfOwn"),
        SourceMutant.of(
            "a transaction that an interrupted thread leaves open",
            "SessionScope",
            "Uninterrupted.run(session::abortTransaction);",
            "session.abortTransaction();",
            BrokenTransactionsTest.class,
            "interruptedHandler"),
        SourceMutant.of(
            "a commit that an interrupted thread does not send",
            "Transactions",
            "Uninterrupted.run(session::commitTransaction);",
            "session.commitTransaction();",
            BrokenTransactionsTest.class,
            "interruptedAtCommit"),
        SourceMutant.of(
            "an interrupt that is thrown as the driver's",
            "SessionScope",
            "(plain && Errors.isInterruption(error))",
            "false",
            BrokenTransactionsTest.class,
            "caughtInterrupt"),
        SourceMutant.of(
            "a claim of one's own taken for another's",
            "InboxClaim",
            "return before && again();",
            "return false;",
            MongoInboxClaimsTest.class,
            "lostClaims"),
        SourceMutant.of(
            "a claim without an answer that is kept",
            "InboxClaim",
            "      if (mayBeMine) {\n        giveUp(e);",
            "      if (e instanceof ContentionException) {\n        giveUp(e);",
            MongoInboxClaimsTest.class,
            "unansweredClaim"),
        SourceMutant.of(
            "a claim that is kept whose renewal fails",
            "InboxClaim",
            "mayBeMine = before || kind",
            "mayBeMine = kind",
            MongoInboxClaimsTest.class,
            "failedRenewal"),
        SourceMutant.of(
            "an end of what is not claimed",
            "InboxClaim",
            " || kind != Errors.Kind.OTHER",
            " || true",
            MongoInboxClaimsTest.class,
            "failedClaim"),
        SourceMutant.of(
            "half of a call whose error at the client was caught",
            "SessionScope",
            "mayWrite || error",
            "error",
            MongoInboxTest.class,
            "caughtErrorOfClient"),
        SourceMutant.of(
            "an end of the transaction by the handler's own code",
            "SessionScope",
            "mayWrite || error instanceof MongoException",
            "target != null",
            MongoInboxTest.class,
            "caughtWhileReading"),
        SourceMutant.of(
            "a conflict that is thrown since the handler has translated it",
            "SessionScope",
            "return ended instanceof MongoException error",
            "return plain && ended instanceof MongoException error",
            MongoInboxTest.class,
            "wrappedConflict"),
        SourceMutant.of(
            "a handler that runs again though its thread has to end",
            "SessionScope",
            "instanceof InterruptedException) {",
            "instanceof InterruptedException && plain) {",
            MongoInboxTest.class,
            "interruptedConflict"),
        SourceMutant.of(
            "a handler that runs again for another client's conflict",
            "SessionScope",
            "first == null ? thrown : first",
            "first == null && thrown.getCause() != null ? thrown.getCause() : first == null ? thrown : first",
            MongoInboxTest.class,
            "wrappedError"),
        SourceMutant.of(
            "a message that is remembered from before its handler runs",
            "MongoInbox",
            "if (expires.toInstant().isBefore(",
            "if (expires.toInstant().plus(keptFor).plus(keptFor).isBefore(",
            MongoInboxTest.class,
            "remembered"),
        SourceMutant.of(
            "a command more of each handler",
            "MongoInbox",
            ".plus(keptFor).plus(SLACK)",
            ".plus(keptFor)",
            MongoInboxTest.class,
            "remembered"),
        SourceMutant.of(
            "a record that an interrupted thread does not keep for longer",
            "MongoInbox",
            "Uninterrupted.run(\n          () ->",
            "((java.util.function.Consumer<Runnable>) Runnable::run).accept(\n          () ->",
            MongoInboxTest.class,
            "remembered"),
        SourceMutant.of(
            "a claim that is forgotten while it holds",
            "InboxClaim",
            "lease.compareTo(keptFor) < 0 ? keptFor : lease",
            "keptFor",
            MongoInboxClaimsTest.class,
            "claimsForLonger"),
        SourceMutant.of(
            "a claim that is kept since the handler threw an unknown outcome",
            "MongoInbox",
            "e == thrown.get() || ",
            "",
            MongoInboxClaimsTest.class,
            "givenUpWhatever"),
        SourceMutant.of(
            "a claim that an interrupted thread keeps",
            "InboxClaim",
            "Uninterrupted.run(() -> records.deleteOne(own()));",
            "records.deleteOne(own());",
            MongoInboxClaimsTest.class,
            "givenUpWhatever"),
        SourceMutant.of(
            "a cache that knows nothing of what a transaction takes away",
            "Context",
            "recall.inTransaction());",
            "new Recall(null, tracking, transport.name()));",
            CacheInTransactionsTest.class,
            "session"),
        SourceMutant.of(
            "a cache that is told of what may be taken back",
            "Context",
            "recall.inTransaction());",
            "recall);",
            CacheInTransactionsTest.class,
            "rolledBack"),
        SourceMutant.of(
            "a cache that is filled with what was before a transaction",
            "MongoTransaction",
            "tracked.forEach(Part::ended);",
            "",
            CacheInTransactionsTest.class,
            "transaction"),
        SourceMutant.of(
            "a cache that forgets one spelling of a key alone",
            "StoreBuilder",
            ", mapping::identity)",
            ")",
            SpelledKeysTest.class,
            "cached"),
        SourceMutant.of(
            "a recorded refusal beside the other writes",
            "MongoTransaction",
            "records && !refusing.contains(part)",
            "false",
            MongoTransactionTest.class,
            "recordedRefusal"),
        SourceMutant.of(
            "a recorded refusal beside the caller's own writes",
            "MongoTransaction",
            "    if (records) {\n      return true;\n    }\n",
            "",
            MongoTransactionTest.class,
            "recordedRefusal"),
        SourceMutant.of(
            "a late event of one entity that is never done",
            "MongoTransaction",
            " && !LateParts.drop(outcomes())",
            "",
            BeyondOneEntityCostTest.class,
            "late"),
        SourceMutant.of(
            "the other writes beside a late event of one entity",
            "MongoTransaction",
            "late ? Part::isLate : Part::recordsRefusal",
            "Part::recordsRefusal",
            BeyondOneEntityCostTest.class,
            "late"),
        SourceMutant.of(
            "a deleted entity that takes part in what others drop",
            "MongoTransaction",
            "skips && outcome != null && LateParts.isOver(outcome) && isStillOver(session, outcome)",
            "false",
            MongoTransactionTest.class,
            "lateBesideDeleted"),
        SourceMutant.of(
            "an entity that is deleted because it was before",
            "MongoTransaction",
            " || store.isDeleted(session, write);",
            " || true;",
            MongoTransactionTest.class,
            "lateBesideRecreated"),
        SourceMutant.of(
            "a batch of one entity that is written over what was read in part",
            "Runner",
            " || context.transport().inSession();",
            ";",
            BatchInSessionTest.class,
            "sameAsOutside"),
        SourceMutant.of(
            "half of the writes where a condition turns true",
            "MongoTransaction",
            "if (!refusing().equals(refusing)) {",
            "if (!refusing().equals(refusing) && !records) {",
            MongoTransactionTest.class,
            "trueAgain"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
