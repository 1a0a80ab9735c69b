package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.TooLargeException;
import dev.tidemark.intake.Intake;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.View;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

@DisplayName("An intake over DynamoDB")
final class OutageTest {
  private final List<String> letters = new ArrayList<>();

  private static URI nobody() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return URI.create("http://localhost:" + free.getLocalPort());
    }
  }

  private static DynamoDbClient client() throws IOException {
    return DynamoDbClient.builder()
        .endpointOverride(nobody())
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(DynamoDbEndpoint.CREDENTIALS)
        .overrideConfiguration(call -> call.retryStrategy(retry -> retry.maxAttempts(1)))
        .build();
  }

  /** By an intake that gives up a message by its first failure. */
  private void givesNothingUp(DynamoDbEntityStore<View> store) {
    Projector<View> views =
        Projector.into(store)
            .updating(
                String.class,
                EntityKey::key,
                id -> change().createIfMissing().set("status", "SEEN"))
            .build();
    Intake<String> intake =
        Intake.<String>builder(id -> id, id -> Delivery.of(MessageId.of(id), id), views::handle)
            .deadLetters((id, reason) -> letters.add(id))
            .parkAfter(1)
            .build();
    for (int i = 0; i < 15; i++) {
      assertEquals(List.of("a", "b"), intake.take(List.of("a", "b")).toRetry());
    }
    assertEquals(List.of(), letters);
  }

  @Test
  @DisplayName("gives no message up while DynamoDB is away, however often it is asked")
  void away() throws IOException {
    try (DynamoDbClient client = client()) {
      givesNothingUp(DynamoDbEntityStore.of(client, "views", DynamoDbBackend.schema(false)));
    }
  }

  @Test
  @DisplayName("gives no message up for which the store's executor has no room, or has ended")
  void full() throws IOException {
    Executor full =
        work -> {
          throw new RejectedExecutionException("full");
        };
    try (DynamoDbClient client = client()) {
      givesNothingUp(
          DynamoDbEntityStore.builder(client, "views", DynamoDbBackend.schema(false))
              .maxConcurrency(2, full)
              .build());
    }
  }

  @Test
  @DisplayName("gives no message up that comes after the client was closed")
  void closed() throws IOException {
    DynamoDbClient client = client();
    client.close();
    givesNothingUp(DynamoDbEntityStore.of(client, "views", DynamoDbBackend.schema(false)));
  }

  private static DynamoDbException answered(int status, String code) {
    return (DynamoDbException)
        DynamoDbException.builder()
            .statusCode(status)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
            .build();
  }

  @Test
  @DisplayName("tells a refusal of all requests from one of a message's own")
  void kinds() {
    DynamoDbOutages faults = new DynamoDbOutages();
    assertTrue(faults.isOutage(answered(500, "InternalServerError")));
    assertTrue(faults.isOutage(answered(400, "ProvisionedThroughputExceededException")));
    assertTrue(faults.isOutage(answered(400, "AccessDeniedException")));
    assertTrue(faults.isOutage(answered(400, "ResourceNotFoundException")));
    assertFalse(faults.isOutage(answered(400, "ValidationException")));
    assertFalse(faults.isOutage(answered(400, "ItemCollectionSizeLimitExceededException")));
    assertFalse(faults.isOutage(new NullPointerException()));
  }

  private static TransactionCanceledException cancelled(String... codes) {
    var reasons =
        Stream.of(codes).map(code -> CancellationReason.builder().code(code).build()).toList();
    return TransactionCanceledException.builder()
        .cancellationReasons(reasons)
        .statusCode(400)
        .awsErrorDetails(
            AwsErrorDetails.builder().errorCode("TransactionCanceledException").build())
        .build();
  }

  @Test
  @DisplayName("takes a transaction for an outage that throttling or conflicts alone cancelled")
  void transactions() {
    DynamoDbOutages faults = new DynamoDbOutages();
    assertTrue(faults.isOutage(cancelled("None", "TransactionConflict")));
    assertTrue(faults.isOutage(cancelled("ThrottlingError", "ProvisionedThroughputExceeded")));
    assertFalse(faults.isOutage(cancelled("ConditionalCheckFailed", "TransactionConflict")));
    assertFalse(faults.isOutage(cancelled("ValidationError")));
    assertFalse(faults.isOutage(cancelled()));
  }

  @Test
  @DisplayName("knows the SDK's exception as the cause of a framework's, and nothing suppressed")
  void translated() {
    DynamoDbOutages faults = new DynamoDbOutages();
    assertTrue(faults.isOutage(wrapped(answered(500, "InternalServerError"))));
    assertTrue(faults.isOutage(wrapped(answered(400, "AccessDeniedException"))));
    assertTrue(faults.isOutage(wrapped(answered(400, "OfALaterVersion"))));
    assertTrue(faults.isOutage(wrapped(SdkClientException.create("no connection"))));
    assertTrue(faults.isOutage(wrapped(cancelled("ThrottlingError"))));
    assertFalse(faults.isOutage(wrapped(answered(400, "ValidationException"))));
    assertFalse(faults.isOutage(wrapped(cancelled("ConditionalCheckFailed"))));
    RuntimeException own = new IllegalStateException("the handler's own");
    own.addSuppressed(answered(500, "InternalServerError"));
    assertFalse(faults.isOutage(own));
  }

  @Test
  @DisplayName("tells a request that cannot be made from one that got no answer")
  void unmade() {
    DynamoDbOutages faults = new DynamoDbOutages();
    for (Exception own :
        List.of(new IllegalArgumentException("Key cannot be empty."), new NullPointerException())) {
      RuntimeException unmade = SdkClientException.create("Unable to marshall request", own);
      assertFalse(faults.isOutage(wrapped(unmade)), own::toString);
    }
    for (Exception away :
        List.of(
            new IOException("no route"),
            new UnresolvedAddressException(),
            new IllegalStateException("Connection pool shut down"))) {
      RuntimeException unanswered = SdkClientException.create("Unable to execute", away);
      assertTrue(faults.isOutage(wrapped(unanswered)), away::toString);
    }
    RuntimeException noCredentials =
        SdkClientException.create(
            "Failed to load credentials from metadata service.", new NullPointerException());
    assertTrue(faults.isOutage(wrapped(noCredentials)));
  }

  @Test
  @DisplayName("lets the first exception of the SDK decide, and goes round no circle of causes")
  void first() {
    DynamoDbOutages faults = new DynamoDbOutages();
    RuntimeException refused =
        answered(400, "ValidationException").toBuilder()
            .cause(answered(500, "InternalServerError"))
            .build();
    assertFalse(faults.isOutage(wrapped(refused)));
    IllegalStateException circle = new IllegalStateException("one");
    var unused = circle.initCause(new IllegalStateException("two", circle));
    assertFalse(faults.isOutage(circle));
  }

  @Test
  @DisplayName("leaves it to a fault of Tidemark's own whether it passes, whatever its cause is")
  void ownFaults() {
    DynamoDbOutages faults = new DynamoDbOutages();
    RuntimeException cause = answered(400, "OfALaterVersion");
    for (RuntimeException own :
        List.of(
            new InvalidChangeException("a bug", null, cause),
            new TooLargeException("a limit", null, cause),
            new CorruptRecordException("no mark", null, cause))) {
      assertFalse(faults.isOutage(own), own::toString);
      assertFalse(faults.isOutage(wrapped(own)), own::toString);
    }
  }

  @Test
  @DisplayName("takes a table that is not there for an outage, by the name of the table too")
  void table() {
    RuntimeException missing =
        ResourceNotFoundException.builder()
            .statusCode(400)
            .awsErrorDetails(
                AwsErrorDetails.builder().errorCode("ResourceNotFoundException").build())
            .build();
    RuntimeException named = (RuntimeException) Faults.ofTable(missing, "views");
    assertTrue(new DynamoDbOutages().isOutage(named));
  }

  /** As a proxy, and a framework that translates exceptions, would have it. */
  private static RuntimeException wrapped(RuntimeException error) {
    return new UndeclaredThrowableException(
        new ExecutionException(new IllegalStateException("as a framework's", error)));
  }
}
