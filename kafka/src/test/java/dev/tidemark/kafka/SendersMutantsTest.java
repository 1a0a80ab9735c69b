package dev.tidemark.kafka;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Senders that blame the wrong one, or stand still: sources with a few words replaced. */
@DisplayName("The tests of senders to Kafka catch")
final class SendersMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a partition that moved for which messages are to blame",
            "Answers",
            "          RetriableException.class,\n",
            "",
            KafkaSenderTest.class,
            "blame"),
        SourceMutant.of(
            "a topic that nobody makes waited for without end",
            "Answers",
            "isOne(told, PASSING) && !isLasting(told)",
            "isOne(told, PASSING)",
            KafkaSenderTest.class,
            "blame"),
        SourceMutant.of(
            "a message blamed for a producer that was closed",
            "FatalStates",
            "CLOSED.contains(String.valueOf(error.getMessage()))",
            "false",
            KafkaSenderTest.class,
            "closedWhileSending"),
        SourceMutant.of(
            "a topic that is missing asked for at each call",
            "MissingTopics",
            "QUIET = 10;",
            "QUIET = 0;",
            MissingTopicsTest.class,
            "quiet"),
        SourceMutant.of(
            "brokers that are away taken for a topic that is missing",
            "MissingTopics",
            "if (!Answers.isLasting(error) || !hasRoom) {",
            "if (!hasRoom) {",
            MissingTopicsTest.class,
            "away"),
        SourceMutant.of(
            "topics of records told apart by the messages'",
            "KafkaSender",
            "String topic = made.topic();",
            "String topic = message.message().topic();",
            MissingTopicsTest.class,
            "topicsOfRecords"),
        SourceMutant.of(
            "an error for one message that fails all",
            "KafkaSender",
            "} catch (Throwable e) { // the other",
            "} catch (RuntimeException e) { // the other",
            KafkaSenderTest.class,
            "error"),
        SourceMutant.of(
            "an interrupt before an answer that may be of another thread",
            "KafkaSender",
            "} catch (InterruptException | InterruptedException e) {",
            "} catch (InterruptException e) {",
            KafkaSenderTest.class,
            "interruptedAnswer"),
        SourceMutant.of(
            "a dead producer that is kept since it does not close",
            "RenewingKafkaSender",
            "} catch (Throwable e) { // the next call",
            "} catch (IllegalArgumentException e) { // the next call",
            KafkaSenderTest.class,
            "renewsPastClose"),
        SourceMutant.of(
            "a dead producer that is taken for another one",
            "RenewingKafkaSender",
            "if (open.producer() == dead) {",
            "if (open.producer() == null) {",
            KafkaSenderTest.class,
            "renewsBySame"),
        SourceMutant.of(
            "messages blamed since no producer can be made",
            "RenewingKafkaSender",
            "Sent.deferred(e)",
            "Sent.failed(e)",
            KafkaSenderTest.class,
            "noProducer"),
        SourceMutant.of(
            "a letter whose topic is gone that blocks the others",
            "KafkaRedrive",
            "if (!places.contains(",
            "if (places.isEmpty() && !places.contains(",
            KafkaRedriveTest.class,
            "gone"),
        SourceMutant.of(
            "a letter without a right to its topic that blocks the others",
            "KafkaRedrive",
            "|| error instanceof TopicAuthorizationException",
            "",
            KafkaRedriveTest.class,
            "gone"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
