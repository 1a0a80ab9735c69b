package dev.tidemark.dynamodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transactions that misread why they were cancelled: sources with a few words replaced. */
@DisplayName("The tests of transactions and the inbox on DynamoDB catch")
final class TransactionMutantsTest {
  /** Starts the store that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = DynamoDbEndpoint.get();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a write that comes after its handler, and is in no transaction",
            "TransactionWrites",
            "ended = true;",
            "",
            DynamoDbInboxTest.class,
            "late"),
        SourceMutant.of(
            "a message that is handled once its handler has begun",
            "DynamoDbInbox",
            "if (value != null) {",
            "if (value == this) {",
            DynamoDbInboxTest.class,
            "late"),
        SourceMutant.of(
            "a message that is kept for longer than any record lives",
            "DynamoDbInbox",
            "Times.bounded(\"keptFor\", keptFor)",
            "keptFor",
            DynamoDbInboxTest.class,
            "forEver"),
        SourceMutant.of(
            "the first reason decides for all",
            "Transactions",
            "part.tell(client, reason, cancelled)",
            "part.tell(client, reasons.get(0), cancelled)",
            DynamoDbTransactionTest.class,
            "refused"),
        SourceMutant.of(
            "a put of an item that a tracked write has",
            "DynamoDbTransaction",
            "own.isWriting(part.target()) || ",
            "",
            DynamoDbTransactionTest.class,
            "limits"),
        new SourceMutant(
            "an entity that an empty change creates, as Recorded",
            Path.of("../api/src/main/java/dev/tidemark/kernel/BlindWalk.java"),
            "verdicts.joins() && task.rules().creates()",
            "verdicts.joins() && !task.rules().creates()",
            DynamoDbTransactionTest.class,
            "createsEmpty"),
        SourceMutant.of(
            "a false condition decides beside a conflict",
            "Transactions",
            "return open ? List.of() : refused;",
            "return refused;",
            DynamoDbTransactionTest.class,
            "refusedBesideConflict"),
        SourceMutant.of(
            "a write that is not valid decides for a message that is done",
            "Transactions",
            "if (invalid && !open) {",
            "if (invalid) {",
            DynamoDbInboxTest.class,
            "invalidSince"),
        SourceMutant.of(
            "a conflict is taken for a duplicate",
            "InboxPart",
            "if (Transactions.isRefusal(reason)) {",
            "if (!Transactions.isNone(reason)) {",
            DynamoDbInboxTest.class,
            "conflictBesideRefusal"),
        SourceMutant.of(
            "a claim of a message that counts whenever it is answered",
            "InboxClaim",
            "if (held.isHalfLeft()) {",
            "if (held != null) {",
            DynamoDbInboxClaimsTest.class,
            "claimedLate"),
        SourceMutant.of(
            "a claim that is forgotten while it holds",
            "InboxRecords",
            "lease.compareTo(keptFor) < 0 ? keptFor : lease",
            "keptFor",
            DynamoDbInboxClaimsTest.class,
            "claimsForLonger"),
        SourceMutant.of(
            "a claim that is kept since the handler threw contention",
            "DynamoDbInbox",
            "      claim.giveUp(e);\n",
            "",
            DynamoDbInboxClaimsTest.class,
            "givenUpWhatever"),
        SourceMutant.of(
            "a claim that an interrupted thread keeps",
            "InboxClaim",
            "Uninterrupted.run(() -> records.giveUp(client, key, nonce, before));",
            "records.giveUp(client, key, nonce, before);",
            DynamoDbInboxClaimsTest.class,
            "givenUpWhatever"),
        SourceMutant.of(
            "a claim without an answer that is kept",
            "DynamoDbInbox",
            "      claim.giveUp(e);\n",
            "      if (!(e instanceof dev.tidemark.OutcomeUnknownException)) claim.giveUp(e);\n",
            DynamoDbInboxClaimsTest.class,
            "interruptedClaim"),
        SourceMutant.of(
            "a claim that is kept where its renewal was not made",
            "InboxClaim",
            "records.giveUp(client, key, nonce, before)",
            "records.giveUp(client, key, nonce, nonce)",
            DynamoDbInboxClaimsTest.class,
            "failedRenewal"),
        SourceMutant.of(
            "a claim that is kept where its renewal was made",
            "InboxClaim",
            "records.giveUp(client, key, nonce, before)",
            "records.giveUp(client, key, before, before)",
            DynamoDbInboxClaimsTest.class,
            "failedRenewal"),
        SourceMutant.of(
            "a message that is remembered from before its handler runs",
            "DynamoDbInbox",
            """
                R value = handler.handle(writes);
                writes.end();
                if (value != null) {
                  Unfinished.requireNone("the handler", value);
                }
                InboxPart record = handled.get();
            """,
            """
                InboxPart record = handled.get();
                R value = handler.handle(writes);
                writes.end();
            """,
            DynamoDbInboxClaimsTest.class,
            "remembered"),
        SourceMutant.of(
            "a message that is forgotten before its last second is over",
            "InboxRecords",
            "Duration.ofMillis(clock.millis()).plus(kept).toSeconds() + 1",
            "clock.millis() / 1000 + kept.toSeconds() + 1",
            DynamoDbInboxClaimsTest.class,
            "remembered"),
        SourceMutant.of(
            "a recorded refusal beside the other writes",
            "DynamoDbTransaction",
            "part.recordsRefusal() ? part : part.skipping()",
            "part",
            DynamoDbTransactionTest.class,
            "recordedRefusal"),
        SourceMutant.of(
            "a recorded refusal beside the caller's own writes",
            "DynamoDbTransaction",
            "records ? List.of() : items",
            "items",
            DynamoDbTransactionTest.class,
            "recordedRefusal"),
        SourceMutant.of(
            "a write that was only read again taken for a refused one",
            "TrackedPart",
            "return !untold && (accepted || hasEnded())",
            "return (accepted || hasEnded())",
            DynamoDbTransactionTest.class,
            "untoldBesideDone"),
        SourceMutant.of(
            "a late event of one entity that is never done",
            "DynamoDbTransaction",
            "!made && LateParts.drop(outcomes(parts))",
            "!made && outcomes(parts).isEmpty()",
            BeyondOneEntityCostTest.class,
            "late"),
        SourceMutant.of(
            "the other writes beside a late event of one entity",
            "DynamoDbTransaction",
            "passed.contains(part) ? part : part.skipping()",
            "part",
            BeyondOneEntityCostTest.class,
            "late"),
        SourceMutant.of(
            "half of the writes where a condition turns true",
            "Transactions",
            "if (held.isEmpty() && !now.equals(refusing)) {",
            "if (held.isEmpty() && refusing.isEmpty() && !now.equals(refusing)) {",
            DynamoDbTransactionTest.class,
            "trueAgain"),
        SourceMutant.of(
            "a refusal that is recorded before the other writes' conditions are known",
            "Transactions",
            "recording.contains(part) || free.contains(part)",
            "true",
            DynamoDbTransactionTest.class,
            "refusedBehindConflict"),
        SourceMutant.of(
            "a recorded refusal beside the writes whose conditions are only asked",
            "Transactions",
            "held.contains(part) ? never(part.item()) : part.item()",
            "part.item()",
            BeyondOneEntityCostTest.class,
            "refusal"),
        new SourceMutant(
            "a new source that nobody counts, since no reply tells",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Requirement.java"),
            "new Requirement(request, untold && request.countsSources())",
            "new Requirement(request, false)",
            BeyondOneEntityCostTest.class,
            "sources"),
        SourceMutant.of(
            "a write that has no room in a transaction, taken for a change that fits no item",
            "TrackedPart",
            "if (Transactions.isInvalid(reason)) {",
            "if (reason == null) {",
            FullItemTest.class,
            "inTransaction"),
        SourceMutant.of(
            "a healthy message that is too large beside others which wait to be sent",
            "Runner",
            "has(item, writes.mapping().names().outbox())",
            "false",
            FullItemTest.class,
            "waits"),
        SourceMutant.of(
            "a healthy message that is too large beside others which were sent meanwhile",
            "Runner",
            "!waits && (over == null || waited)",
            "!waits && waited",
            FullItemTest.class,
            "sentMeanwhile"),
        SourceMutant.of(
            "a function's message that is too large beside others which were sent meanwhile",
            "Runner",
            "!waits && (over == null || waited)",
            "!waits && over == null",
            FullItemTest.class,
            "sentMeanwhile"),
        SourceMutant.of(
            "a true rule taken for what refused a write that had no room",
            "Runner",
            "? new Reply.Refused<>(item, false)",
            "? new Reply.Refused<>(item, null)",
            FullItemTest.class,
            "ruleMeanwhile"),
        new SourceMutant(
            "a transaction whose tokens nobody asks for, since the client's time is over",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Run.java"),
            "      readLast(attempt, attempt.unknown(none.error()));",
            "      sent = null;\n      lost.fail(attempt.tasks(), attempt.unknown(none.error()));",
            DynamoDbTransactionTest.class,
            "timedOut"),
        new SourceMutant(
            "a rule that nothing was asked of, taken for what refused a write that is too large",
            Path.of("../api/src/main/java/dev/tidemark/kernel/RuleRefusal.java"),
            "live || Boolean.FALSE.equals(ruled)",
            "live",
            FullItemTest.class,
            "tooLargeOverNothing"),
        SourceMutant.of(
            "what a function left that a transaction does not tell",
            "Writes",
            "it.functions().entity()",
            "null",
            DynamoDbTransactionTest.class,
            "functions"),
        SourceMutant.of(
            "a poll of a stream that spins on an interrupted thread",
            "DynamoDbOutboxStream",
            "Uninterrupted.run(() -> pauses.accept(wait.toNanos()));",
            "pauses.accept(wait.toNanos());",
            DynamoDbOutboxStreamTest.class,
            "interrupted"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
