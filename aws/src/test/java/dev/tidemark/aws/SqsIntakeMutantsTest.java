package dev.tidemark.aws;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Consumers that lose messages, or spin: sources with a few words replaced. */
@DisplayName("The tests of the intake of queues catch")
final class SqsIntakeMutantsTest {
  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    return SourceMutant.of(name, type, sound, wrong, SqsIntakeTest.class, test);
  }

  private static SourceMutant full(String name, String sound, String wrong) {
    String test = name.startsWith("twins") ? "twins" : "made";
    return SourceMutant.of(name, "SqsIntake", sound, wrong, FullMessagesTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "an interrupt that is told as a fault of SQS, since the client names it otherwise",
            "SqsIntake",
            "call.equals(RECEIVE) && ",
            "call.isEmpty() && ",
            SqsIntakeTest.class,
            "abortedPoll"),
        SourceMutant.of(
            "an interrupt that is told as a fault of SQS",
            "SqsIntake",
            "          Thread.currentThread().interrupt();\n          return;",
            "          fault = e; Thread.currentThread().interrupt();\n          return;",
            SqsIntakeTest.class,
            "interruptedPoll"),
        SourceMutant.of(
            "a consumer whose deletes are denied, and that says nothing",
            "SqsIntake",
            "tell(call, e);",
            "",
            HeartbeatTest.class,
            "consumer"),
        mutant(
            "a first ID that was handed on to a message of another body",
            "SqsDeadLetters",
            "end > 0 && text.endsWith(ofBody(message))",
            "end > 0",
            "identity"),
        full("twins of a full message with two identities", "sent != null &&", "sent == null &&"),
        full("what was made of a full message", "sent + digest(message)", "sent"),
        SourceMutant.of(
            "a full message with another attribute",
            "Letter",
            "new TreeMap<>(attributes)",
            "new TreeMap<String, String>()",
            FullMessagesTest.class,
            "attributes"),
        full("a full message of another queue", "\"sqs-sent\", name, ", "\"sqs-sent\", "),
        SourceMutant.of(
            "what dead letters add counted among a message's own attributes",
            "Letter",
            ".filter(n -> !n.startsWith(DEAD))",
            "",
            FullMessagesTest.class,
            "putBack"),
        full("an ID that was handed on", "Letter.isFull(message.messageAttributes())", "true"),
        mutant(
            "a delete of what is not done",
            "SqsIntake",
            "queue.delete(taken.toAcknowledge())",
            "queue.delete(messages)",
            "givesBack"),
        mutant(
            "a delete before the messages are handled",
            "SqsIntake",
            "      return intake.take(messages);",
            "      queue.delete(messages);\n      return intake.take(messages);",
            "poison"),
        mutant(
            "no pause before a message comes again",
            "Queue",
            "return PAUSES.after(number(count));",
            "return Duration.ZERO;",
            "givesBack"),
        mutant(
            "groups without an order",
            "SqsIntake",
            "return Letter.isFifo(queueUrl) ? builder.lane(SqsIntake::group) : builder;",
            "return builder;",
            "groups"),
        new SourceMutant(
            "messages of a group that overtake one that is not decoded",
            Path.of("../api/src/main/java/dev/tidemark/intake/IntakeBatch.java"),
            "unread.stop(entry.lane, entry);",
            "",
            SqsIntakeTest.class,
            "unread"),
        mutant(
            "a delete that failed and is forgotten",
            "Queue",
            "i < DELETES && ",
            "i < 1 && ",
            "outage"),
        mutant(
            "no heartbeat",
            "SqsIntake",
            "heartbeat.over(messages, hidden)",
            "heartbeat.over(List.of(), hidden)",
            "heartbeat"),
        mutant(
            "an end of a worker that nobody is told of",
            "SqsIntake",
            "last == null ? fault : last",
            "fault",
            "ended"),
        mutant(
            "an end of a worker that is lost since SQS takes no messages back",
            "SqsIntake",
            "} catch (Throwable behind) {",
            "} catch (IllegalStateException behind) {",
            "listenerThrowsDenied"),
        mutant(
            "a listener's error that passes for one of the queue",
            "SqsIntake",
            "throw new IllegalStateException(\"the intake's listener failed",
            "throw SdkException.create(\"the intake's listener failed",
            "listenerThrowsDenied"),
        new SourceMutant(
            "an error for one message that ends workers",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Faults.java"),
            "!(failure instanceof StackOverflowError)",
            "true",
            SqsIntakeTest.class,
            "errors"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
