package dev.tidemark.spring;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Listeners that lose messages: sources with a few words replaced. */
@DisplayName("The tests of listeners of Kafka and SQS catch")
final class ListenerMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "an acknowledgement of what is not done",
            "SqsIntakeListener",
            "List<Message<T>> done = taken.toAcknowledge();",
            "List<Message<T>> done = messages;",
            SqsIntakeListenerTest.class,
            "standard"),
        SourceMutant.of(
            "an acknowledgement of what another intake has not done",
            "SqsCall",
            "if (owner != intake) {",
            "if (owner == null) {",
            SqsSeveralIntakesTest.class,
            "same"),
        SourceMutant.of(
            "a record that was read, and is a letter for a header of its sender's",
            "KafkaIntakeListener",
            "isAbsent(record, header) && ",
            "",
            UnreadRecordsTest.class,
            "missing"),
        SourceMutant.of(
            "a record that nobody could read, and that passes for a tombstone",
            "KafkaIntakeListener",
            "record.headers().lastHeader(header) != null",
            "header.isEmpty()",
            UnreadRecordsTest.class,
            "letter"),
        SourceMutant.of(
            "a customizer of containers without effect",
            "TidemarkKafkaAutoConfiguration",
            "customizers.ifUnique(customizer -> customizer.configure(container));",
            "",
            KafkaBesideOthersTest.class,
            "customizer"),
        SourceMutant.of(
            "a partition that an interceptor has emptied, which keeps the others from another try",
            "IntakeErrorHandler",
            "if (records.isEmpty()) {",
            "if (records == null) {",
            KafkaListenerModelTest.class,
            "container"),
        SourceMutant.of(
            "batches that are kept in memory until their next beat would be due",
            "MessageVisibility",
            "setRemoveOnCancelPolicy(true)",
            "setRemoveOnCancelPolicy(false)",
            SqsIntakeListenerTest.class,
            "again"),
        SourceMutant.of(
            "records that are not done and are not told",
            "ListenerCall",
            "if (!first.isEmpty()) {",
            "if (first.size() > 10) {",
            KafkaIntakeListenerTest.class,
            "trouble"),
        SourceMutant.of(
            "records that a listener has left to another thread, and that pass for done",
            "ListenerCall",
            "if (call.undone.isEmpty()) {",
            "if (call.undone.size() > 9) {",
            KafkaIntakeListenerTest.class,
            "otherThread"),
        SourceMutant.of(
            "a future that passes for what it has promised",
            "IntakeContainers",
            "if (any(listener, Container::isAsynchronous)) {",
            "if (any(properties, Container::isAsynchronous)) {",
            KafkaSeveralIntakesTest.class,
            "future"),
        SourceMutant.of(
            "a poll that passes for done since an error handler has swallowed what was thrown",
            "IntakeContainers",
            "if (any(listener, Container::hasErrorHandler)) {",
            "if (any(properties, Container::hasErrorHandler)) {",
            KafkaSeveralIntakesTest.class,
            "swallowed"),
        SourceMutant.of(
            "an acknowledgment that passes for done",
            "IntakeContainers",
            "properties.getAckMode() != ContainerProperties.AckMode.BATCH",
            "properties.getAckMode() == ContainerProperties.AckMode.RECORD",
            KafkaSeveralIntakesTest.class,
            "acknowledgment"),
        SourceMutant.of(
            "a container that waits for acknowledgments that nobody gives",
            "TidemarkKafkaAutoConfiguration",
            "containers.setAsyncAcks(false);",
            "",
            KafkaIntakeListenerTest.class,
            "asyncAcks"),
        SourceMutant.of(
            "an intake that speaks for the others of its listener",
            "ListenerCall",
            "call.undone.computeIfAbsent(letters, Undone::new)",
            "call.undone.compute(letters, (same, old) -> { call.undone.clear(); return new"
                + " Undone(same); })",
            KafkaSeveralIntakesTest.class,
            "same"),
        SourceMutant.of(
            "a commit up to what the last of several intakes has not done",
            "ListenerCall",
            "of.firstKey(), Math::min",
            "of.firstKey(), Math::max",
            KafkaSeveralIntakesTest.class,
            "bothUndone"),
        SourceMutant.of(
            "records that overtake what an earlier call has not done",
            "ListenerCall",
            "if (undone.isEmpty() || record.offset() < undone.firstKey()) {",
            "if (undone.size() < 9) {",
            KafkaSeveralIntakesTest.class,
            "oneByOne"),
        SourceMutant.of(
            "records that wait for ever for one in front of them",
            "ListenerCall",
            "if (undone.isEmpty() || record.offset() < undone.firstKey()) {",
            "if (undone.isEmpty()) {",
            KafkaSeveralIntakesTest.class,
            "inFront"),
        SourceMutant.of(
            "messages of a group that overtake what an earlier call has not done",
            "SqsCall",
            "u.intake() == intake && u.isBefore(message)",
            "u.intake() == message && u.isBefore(message)",
            SqsSeveralIntakesTest.class,
            "groupInParts"),
        SourceMutant.of(
            "an acknowledgement behind what another intake has not done of a group",
            "SqsCall",
            "noneMatch(u -> u.isBefore(message))",
            "noneMatch(u -> u.intake() == message)",
            SqsSeveralIntakesTest.class,
            "groupOfTwo"),
        SourceMutant.of(
            "messages of a group that wait for ever for one in front of them",
            "SqsCall",
            "other.compareTo(place) >= 0",
            "other != place",
            SqsSeveralIntakesTest.class,
            "groupInFront"),
        SourceMutant.of(
            "messages that are left out of an acknowledgement and nobody hears of",
            "SqsIntakeListener",
            "if (!again.isEmpty()) {",
            "if (reason.isPresent()) {",
            SqsSeveralIntakesTest.class,
            "told"),
        SourceMutant.of(
            "calls that are kept in memory behind their end",
            "SqsCall",
            "gone = FORGOTTEN.poll(); gone != null;",
            "gone = null; gone != null;",
            SqsSeveralIntakesTest.class,
            "forgottenCall"),
        SourceMutant.of(
            "messages of a former call that count in a later one",
            "SqsCall",
            "CALLS.computeIfAbsent(new Known(acknowledgement), call -> new SqsCall())",
            "CALLS.computeIfAbsent(new Known(FORGOTTEN), call -> new SqsCall())",
            SqsSeveralIntakesTest.class,
            "laterCall"),
        SourceMutant.of(
            "intakes that give up the same record in turns for ever",
            "KafkaIntakeListener",
            "letters.add(fate.message());",
            "",
            KeptLettersTest.class,
            "inTurn"),
        SourceMutant.of(
            "a dead letter that is forgotten before it is committed",
            "ListenerCall",
            "first.getOrDefault(p, end))",
            "end)",
            KeptLettersTest.class,
            "inTurn"),
        SourceMutant.of(
            "a dead letter that is remembered once it is committed",
            "KeptLetters",
            "of(partition).headMap(offset).clear();",
            "",
            KeptLettersTest.class,
            "untilCommitted"),
        SourceMutant.of(
            "a record of a topic that was created anew and passes for a dead letter",
            "KeptLetters",
            "place(record).equals(of(ListenerCall.partition(record)).get(record.offset()))",
            "of(ListenerCall.partition(record)).containsKey(record.offset())",
            KeptLettersTest.class,
            "createdAnew"),
        SourceMutant.of(
            "a transaction of Kafka around what is not done",
            "TidemarkKafkaAutoConfiguration",
            "containers.setKafkaAwareTransactionManager(null);",
            "",
            KafkaIntakeListenerTest.class,
            "transactions"),
        SourceMutant.of(
            "a container whose thread stays interrupted since one message was",
            "CountedIntake",
            "intake.takeOnContainerThread(messages)",
            "intake.take(messages)",
            InterruptedListenersTest.class,
            "kafka"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
