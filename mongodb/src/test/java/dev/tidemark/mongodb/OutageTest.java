package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.ServerAddress;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.TooLargeException;
import dev.tidemark.intake.Intake;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An intake over MongoDB")
final class OutageTest {
  private final List<String> letters = new ArrayList<>();

  private static MongoClient nobody() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      String url = "mongodb://localhost:" + free.getLocalPort() + "/?directConnection=true";
      return MongoClients.create(
          MongoClientSettings.builder()
              .applyConnectionString(new ConnectionString(url))
              .applyToClusterSettings(c -> c.serverSelectionTimeout(50, TimeUnit.MILLISECONDS))
              .build());
    }
  }

  /** An intake that gives up a message by its first failure. */
  private Intake<String> intake(MongoClient client) {
    Projector<Document> views =
        Projector.into(
                MongoEntityStore.builder(client.getDatabase("db").getCollection("away"))
                    .assumePlainCollection()
                    .build())
            .updating(
                String.class,
                EntityKey::key,
                id -> change().createIfMissing().set("status", "SEEN"))
            .build();
    return Intake.<String>builder(id -> id, id -> Delivery.of(MessageId.of(id), id), views::handle)
        .deadLetters((id, reason) -> letters.add(id))
        .parkAfter(1)
        .build();
  }

  @Test
  @DisplayName("gives no message up while MongoDB is away, however often it is asked")
  void away() throws IOException {
    try (MongoClient client = nobody()) {
      givesNothingUp(client);
    }
  }

  @Test
  @DisplayName("gives no message up that comes after the client was closed")
  void closed() {
    MongoClient client = MongoClients.create(MongoServers.uri());
    client.close();
    givesNothingUp(client);
    ClientSession session = client.startSession(); // which needs no server yet
    assertTrue(
        new MongoOutages()
            .isOutage(assertThrows(IllegalStateException.class, session::startTransaction)));
  }

  private void givesNothingUp(MongoClient client) {
    Intake<String> intake = intake(client);
    for (int i = 0; i < 15; i++) {
      assertEquals(List.of("a", "b"), intake.take(List.of("a", "b")).toRetry());
    }
    assertEquals(List.of(), letters);
  }

  @Test
  @DisplayName("takes no closed session of a handler's for a client that is closed")
  void closedSession() {
    try (MongoClient client = MongoClients.create(MongoServers.uri())) {
      ClientSession session = client.startSession();
      session.close();
      IllegalStateException own =
          assertThrows(
              IllegalStateException.class,
              () -> client.getDatabase("db").getCollection("away").find(session).first());
      assertFalse(new MongoOutages().isOutage(own));
    }
  }

  @Test
  @DisplayName("takes an interrupt of the driver's for no message's fault")
  void interrupted() {
    MongoOutages faults = new MongoOutages();
    RuntimeException stopped = new MongoInterruptedException("interrupted", null);
    assertTrue(faults.isOutage(stopped));
    assertTrue(faults.isOutage(wrapped(stopped)));
  }

  @Test
  @DisplayName("takes what a server on its way out says for trouble that passes")
  void passes() {
    MongoServerUnavailableException gone = new MongoServerUnavailableException("no longer there");
    assertTrue(Errors.isUnsent(gone));
    for (MongoException e : List.of(gone, answered(134), answered(365))) {
      assertFalse(Errors.isLasting(e), e::toString);
      assertEquals(Errors.Kind.CONTENTION, Errors.kind(e), e::toString);
    }
  }

  private static MongoCommandException answered(int code) {
    return new MongoCommandException(
        new BsonDocument("ok", new BsonInt32(0)).append("code", new BsonInt32(code)),
        new ServerAddress());
  }

  @Test
  @DisplayName("tells a refusal of all commands from one of a message's own")
  void kinds() {
    MongoOutages faults = new MongoOutages();
    assertTrue(faults.isOutage(answered(11600))); // InterruptedAtShutdown
    assertTrue(faults.isOutage(answered(462))); // IngressRequestRateLimitExceeded
    assertTrue(faults.isOutage(answered(134))); // ReadConcernMajorityNotAvailableYet
    assertTrue(faults.isOutage(answered(365))); // TemporarilyUnavailable
    assertTrue(faults.isOutage(new MongoServerUnavailableException("no longer available")));
    assertTrue(faults.isOutage(answered(13))); // Unauthorized
    MongoException aborted = answered(251); // NoSuchTransaction
    assertFalse(faults.isOutage(aborted));
    aborted.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    assertTrue(faults.isOutage(aborted));
    assertFalse(faults.isOutage(answered(121))); // DocumentValidationFailure
    assertFalse(faults.isOutage(answered(17419))); // too large
    assertFalse(faults.isOutage(new NullPointerException()));
  }

  @Test
  @DisplayName("knows the driver's exception as the cause of a framework's, and nothing suppressed")
  void translated() {
    MongoOutages faults = new MongoOutages();
    assertTrue(faults.isOutage(wrapped(answered(11600))));
    assertTrue(faults.isOutage(wrapped(answered(13))));
    assertTrue(faults.isOutage(wrapped(new MongoServerUnavailableException("no longer there"))));
    assertFalse(faults.isOutage(wrapped(answered(121))));
    RuntimeException own = new IllegalStateException("the handler's own");
    own.addSuppressed(answered(11600));
    assertFalse(faults.isOutage(own));
  }

  @Test
  @DisplayName("lets the first exception of the driver decide, and goes round no circle of causes")
  void first() {
    MongoOutages faults = new MongoOutages();
    RuntimeException refused = answered(121);
    var unused = refused.initCause(answered(11600));
    assertFalse(faults.isOutage(wrapped(refused)));
    IllegalStateException circle = new IllegalStateException("one");
    unused = circle.initCause(new IllegalStateException("two", circle));
    assertFalse(faults.isOutage(circle));
  }

  @Test
  @DisplayName("leaves it to a fault of Tidemark's own whether it passes, whatever its cause is")
  void ownFaults() {
    MongoOutages faults = new MongoOutages();
    RuntimeException cause = answered(13);
    for (RuntimeException own :
        List.of(
            new InvalidChangeException("a bug", null, cause),
            new TooLargeException("a limit", null, cause),
            new CorruptRecordException("no mark", null, cause))) {
      assertFalse(faults.isOutage(own), own::toString);
      assertFalse(faults.isOutage(wrapped(own)), own::toString);
    }
  }

  /** As a proxy, and a framework that translates exceptions, would have it. */
  private static RuntimeException wrapped(RuntimeException error) {
    return new UndeclaredThrowableException(
        new ExecutionException(new IllegalStateException("as a framework's", error)));
  }
}
