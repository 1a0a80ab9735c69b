package dev.tidemark.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import dev.tidemark.outbox.Sent.Blame;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;

@DisplayName("Requests to a service of AWS, and what it answers,")
class BatchesTest {
  private final List<List<String>> requests = new ArrayList<>();

  private static List<OutboxMessage> messages(String... ids) {
    return Arrays.stream(ids)
        .map(id -> new OutboxMessage(id, Instant.EPOCH, OutgoingMessage.to("orders", id)))
        .toList();
  }

  private static Blame blame(Sent answer) {
    return assertInstanceOf(Sent.Failed.class, answer).blame();
  }

  private List<Sent> send(Throwable poison, String... ids) throws InterruptedException {
    Batches<String> batches =
        new Batches<>(
            1_000,
            topic -> topic,
            (message, destination, id) -> {
              if (message.id().equals("unfit")) {
                throw new IllegalArgumentException("it has too many attributes");
              }
              return new Batches.Sized<>(message.id(), 1);
            },
            (destination, entries) -> {
              requests.add(entries);
              if (entries.stream().anyMatch(id -> id.startsWith("poison"))) {
                throw BatchesTest.<RuntimeException>as(poison);
              }
              return entries.stream().map(id -> (Sent) Sent.taken()).toList();
            });
    return batches.send(messages(ids));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException as(Throwable error) throws E {
    throw (E) error;
  }

  @Test
  @DisplayName("go one by one where one failed as a whole, be it by an error")
  void error() throws InterruptedException {
    List<Sent> answers = send(new StackOverflowError(), "a", "poison", "c");
    assertEquals(Sent.taken().at("orders"), answers.get(0));
    assertEquals(Blame.UNKNOWN, blame(answers.get(1)));
    assertEquals(Sent.taken().at("orders"), answers.get(2));
    assertEquals(4, requests.size());
  }

  @Test
  @DisplayName("blame no message that was not tried, behind ten that a destination refused")
  void untried() throws InterruptedException {
    String[] ids = new String[12];
    Arrays.setAll(ids, i -> "poison" + i);
    List<Sent> answers = send(new IllegalStateException("no such queue"), ids);
    answers.subList(0, 10).forEach(one -> assertEquals(Blame.UNKNOWN, blame(one)));
    answers.subList(10, 12).forEach(one -> assertEquals(Blame.DESTINATION, blame(one)));
    assertEquals(11, requests.size());
  }

  @Test
  @DisplayName("name the destination in each answer, be it for what no entry could be made of")
  void destinations() throws InterruptedException {
    String[] ids = new String[14];
    Arrays.setAll(ids, i -> i < 2 ? "unfit" : "poison" + i);
    ids[2] = "a";
    List<Sent> answers = new ArrayList<>(send(new IllegalStateException("refused"), ids));
    answers.addAll(send(service(503, "ServiceUnavailable"), ids));
    answers.forEach(one -> assertEquals(Set.of("orders"), one.destinations(), one::toString));
  }

  private static AwsServiceException service(int status, String code) {
    return AwsServiceException.builder()
        .statusCode(status)
        .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
        .build();
  }

  @Test
  @DisplayName("blame the service for its own errors, throttling, and no answer")
  void blames() throws InterruptedException {
    Map<Throwable, Blame> blames = new LinkedHashMap<>();
    blames.put(service(503, "ServiceUnavailable"), Blame.DESTINATION);
    blames.put(service(400, "ThrottlingException"), Blame.DESTINATION);
    blames.put(service(429, "TooManyRequestsException"), Blame.DESTINATION);
    blames.put(service(400, "InvalidParameterValue"), Blame.UNKNOWN);
    blames.put(service(403, "AccessDenied"), Blame.UNKNOWN);
    blames.put(ApiCallTimeoutException.create(1_000), Blame.DESTINATION);
    blames.put(
        SdkClientException.create("Unable to execute HTTP request", new IOException("refused")),
        Blame.DESTINATION);
    blames.put(SdkClientException.create("Unable to marshall request"), Blame.UNKNOWN);
    blames.put(new NoClassDefFoundError("a/B"), Blame.UNKNOWN);
    for (Map.Entry<Throwable, Blame> one : blames.entrySet()) {
      List<Sent> answers = send(one.getKey(), "poison1", "poison2");
      answers.forEach(answer -> assertEquals(one.getValue(), blame(answer), one::toString));
    }
  }

  @Test
  @DisplayName("take no entry for sent that is told twice, not at all, or without a code")
  void odd() {
    List<Sent> answers =
        Answers.of(
            "SQS",
            List.of("0", "1", "2", "3"),
            Arrays.asList("1", "1", "3", null, "elsewhere"),
            List.of(
                new Answers.Refused("0", null, null),
                new Answers.Refused("0", null, true),
                new Answers.Refused(null, null, null),
                new Answers.Refused("x", "y", true),
                new Answers.Refused("3", "InternalError", false)));
    assertEquals(Blame.UNKNOWN, blame(answers.get(0)));
    assertEquals(Sent.taken(), answers.get(1));
    assertEquals(Blame.DESTINATION, blame(answers.get(2)));
    assertEquals(Blame.DESTINATION, blame(answers.get(3)));
  }

  @Test
  @DisplayName("blame the service for an entry by its code, if it does not say whose fault it is")
  void codes() {
    for (String code : List.of("ThrottlingException", "InternalFailure", "KmsThrottled")) {
      Sent answer = Answers.notTaken("EventBridge", new Answers.Refused("0", code, null));
      assertEquals(Blame.DESTINATION, blame(answer), code);
    }
    for (String code : List.of("MalformedDetail", "AccessDeniedException", "InvalidArgument")) {
      Sent answer = Answers.notTaken("EventBridge", new Answers.Refused("0", code, null));
      assertEquals(Blame.UNKNOWN, blame(answer), code);
    }
    assertTrue(blame(Answers.untold("SNS")) == Blame.DESTINATION);
  }
}
