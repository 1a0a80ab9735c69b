package dev.tidemark.aws;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Senders that blame the wrong one, or stand still: sources with a few words replaced. */
@DisplayName("The tests of senders to AWS, and of its answers, catch")
final class SendersMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a request that failed counted for each of its messages",
            "Batches",
            "return batch.size() == 1 ? null : singly(destination, batch, e, answers);",
            "return null;",
            BatchesTest.class,
            "error"),
        SourceMutant.of(
            "a store that does not answer and that another one hides",
            "CloudWatchLines",
            "good.get(pass.records())",
            "good.get(\"\")",
            CloudWatchLinesTest.class,
            "ageOfEach"),
        SourceMutant.of(
            "a message blamed that was not tried",
            "Batches",
            "Sent.deferred(obstacle)",
            "Sent.failed(obstacle)",
            BatchesTest.class,
            "untried"),
        SourceMutant.of(
            "a message that cannot be sent judged by another place than those that can",
            "Batches",
            "Sent.failed(e).at(destination)",
            "Sent.failed(e)",
            BatchesTest.class,
            "destinations"),
        SourceMutant.of(
            "throttling for which messages are to blame",
            "Answers",
            "|| service.isThrottlingException()",
            "",
            BatchesTest.class,
            "blames"),
        SourceMutant.of(
            "an entry told twice that counts as sent",
            "Answers",
            "if (why != null) {",
            "if (why != null && !successful.contains(id)) {",
            BatchesTest.class,
            "odd"),
        SourceMutant.of(
            "an error of the service for which a message is to blame",
            "Answers",
            "Boolean.FALSE.equals(refused.isSendersFault())",
            "Boolean.TRUE.equals(refused.isSendersFault())",
            BatchesTest.class,
            "odd"),
        SourceMutant.of(
            "an answer that cannot be read that ends a worker",
            "Queue",
            "throw SdkClientException.create(\"the answer of SQS cannot be read\", e);",
            "throw e;",
            QueueTest.class,
            "unreadable"),
        SourceMutant.of(
            "a message that nobody could acknowledge",
            "Queue",
            "one.messageId() != null && one.receiptHandle() != null",
            "one.body() == null || true",
            QueueTest.class,
            "incomplete"),
        SourceMutant.of(
            "a heartbeat that an error ends",
            "Heartbeat",
            "} catch (Throwable e) { // the next",
            "} catch (IllegalStateException e) { // the next",
            QueueTest.class,
            "heartbeat"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
