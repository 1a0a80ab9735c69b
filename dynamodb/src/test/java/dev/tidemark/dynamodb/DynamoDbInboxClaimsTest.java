package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.inbox.Handled;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

@DisplayName("Claims of an inbox on DynamoDB")
final class DynamoDbInboxClaimsTest extends InboxScene {
  @Test
  @DisplayName("that claims lets one handler run at a time, and gives a crashed one's lease time")
  void claims() {
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    Handled<String> first =
        claiming.handle(
            message,
            all -> {
              assertEquals(
                  new Handled.InFlight<>(Duration.ofMillis(60_001)),
                  claiming.handle(message, this::add));
              return add(all);
            });
    assertEquals(new Handled.Applied<>("added"), first);
    assertEquals(new Handled.Duplicate<>(), claiming.handle(message, this::add));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("that does not claim leaves a claim its lease, and takes the message over after it")
  void metClaims() {
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    Handled<String> slow =
        claiming.handle(
            message,
            all -> {
              assertEquals(
                  new Handled.InFlight<>(Duration.ofMillis(60_001)),
                  inbox.handle(message, this::add));
              clock.move(Duration.ofSeconds(61));
              assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
              return add(all);
            });
    assertEquals(new Handled.Duplicate<>(), slow);
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::add));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("that claims gives the claim up where the handler throws")
  void givenUp() {
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    assertThrows(
        IllegalStateException.class,
        () ->
            claiming.handle(
                message,
                all -> {
                  throw new IllegalStateException("no");
                }));
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
  }

  @Test
  @DisplayName("that claims writes nothing once it was overtaken")
  void overtaken() {
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    Handled<String> slow =
        claiming.handle(
            message,
            all -> {
              clock.move(Duration.ofSeconds(61));
              assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
              return add(all);
            });
    assertEquals(new Handled.Duplicate<>(), slow);
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("that claims knows its own claim and record when replies are lost")
  void claimsLostReplies() {
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    for (int after = 0; after < 2; after++) {
      FAULTS.loseReplies(after, 1, () -> {});
      Handled<String> handled = claiming.handle(MessageId.of(UUID.randomUUID()), this::add);
      FAULTS.heal();
      assertEquals(new Handled.Applied<>("added"), handled, "lost after " + after);
      assertEquals(after + 1, amount());
    }
  }

  @Test
  @DisplayName("that claims has half of the lease left when its handler runs, however long it took")
  void claimedLate() {
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    for (int seconds : new int[] {31, 61}) {
      MessageId late = MessageId.of(UUID.randomUUID());
      FAULTS.loseReplies(0, 1, () -> clock.move(Duration.ofSeconds(seconds)));
      Handled<String> slow =
          claiming.handle(
              late,
              all -> {
                FAULTS.heal();
                assertEquals(
                    new Handled.InFlight<>(Duration.ofMillis(60_001)),
                    claiming.handle(late, this::add));
                return add(all);
              });
      assertEquals(new Handled.Applied<>("added"), slow);
    }
    assertEquals(2, amount());
  }

  @Test
  @DisplayName("that claims does not handle what another claimed while its own claim took too long")
  void claimedTooLate() {
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    FAULTS.loseReplies(
        0,
        1,
        () -> {
          clock.move(Duration.ofSeconds(61));
          assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
        });
    assertEquals(new Handled.Duplicate<>(), claiming.handle(message, this::add));
    FAULTS.heal();
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("that claims gives the claim up whatever its handler throws, interrupted too")
  void givenUpWhatever() {
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    List<RuntimeException> errors =
        List.of(
            new ContentionException("of another store", null, null),
            new OutcomeUnknownException("of another store", null, null));
    for (RuntimeException error : errors) {
      RuntimeException thrown =
          assertThrows(
              RuntimeException.class,
              () ->
                  claiming.handle(
                      message,
                      all -> {
                        Thread.currentThread().interrupt();
                        throw error;
                      }));
      assertTrue(Thread.interrupted());
      assertSame(error, thrown);
    }
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
  }

  @Test
  @DisplayName(
      "that claims for longer than it remembers lets one handler run at a time all the same")
  void claimsForLonger() {
    DynamoDbInbox claiming =
        builder("billing")
            .keptFor(Duration.ofSeconds(2))
            .claimingFor(Duration.ofSeconds(60))
            .build();
    Handled<String> handled =
        claiming.handle(
            message,
            all -> {
              clock.move(Duration.ofSeconds(10));
              assertInstanceOf(Handled.InFlight.class, claiming.handle(message, this::add));
              return add(all);
            });
    assertEquals(new Handled.Applied<>("added"), handled);
    clock.move(Duration.ofSeconds(10));
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
  }

  @Test
  @DisplayName("that claims or not remembers a message from when its handler has returned")
  void remembered() {
    DynamoDbInbox.Builder brief = builder("billing").keptFor(Duration.ofMillis(1_900));
    remembers(brief.build());
    remembers(brief.claimingFor(Duration.ofSeconds(60)).build());
  }

  private void remembers(DynamoDbInbox brief) {
    clock.move(Duration.ofMillis(990)); // at the end of a second, to which times are rounded
    MessageId slow = MessageId.of(UUID.randomUUID());
    Handled<String> first =
        brief.handle(
            slow,
            all -> {
              clock.move(Duration.ofSeconds(3));
              return add(all);
            });
    assertEquals(new Handled.Applied<>("added"), first);
    clock.move(Duration.ofMillis(1_899));
    assertEquals(new Handled.Duplicate<>(), brief.handle(slow, this::add));
    clock.move(Duration.ofSeconds(1));
    assertEquals(new Handled.Applied<>("added"), brief.handle(slow, this::add));
  }

  @Test
  @DisplayName("that claims gives a claim up to which its interrupted thread gets no answer")
  void interruptedClaim() {
    Thread consumer = Thread.currentThread();
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofMinutes(30)).build();
    FAULTS.loseReplies(0, 1, consumer::interrupt);
    assertThrows(OutcomeUnknownException.class, () -> claiming.handle(message, this::add));
    FAULTS.heal();
    assertTrue(Thread.interrupted());
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("that claims gives a claim up whose renewal fails, whether that was made or not")
  void failedRenewal() {
    Thread consumer = Thread.currentThread();
    DynamoDbInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    Runnable isLate = () -> clock.move(Duration.ofSeconds(31));
    Runnable losesNext = () -> FAULTS.loseReplies(1, 1, consumer::interrupt);
    FAULTS.loseReplies(0, 1, () -> List.of(isLate, losesNext).forEach(Runnable::run));
    assertThrows(OutcomeUnknownException.class, () -> claiming.handle(message, this::add));
    FAULTS.heal();
    assertTrue(Thread.interrupted());
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
    int sent = FAULTS.writes();
    DynamoDbInbox refused =
        builder("search").clock(new AfterFirst(sent)).claimingFor(Duration.ofSeconds(60)).build();
    assertThrows(DynamoDbException.class, () -> refused.handle(message, this::add));
    assertEquals(sent + 3, FAULTS.writes(), "a claim, its renewal, its end");
    FAULTS.heal();
    assertEquals(new Handled.Applied<>("added"), inbox("search").handle(message, this::add));
    assertEquals(2, amount());
  }

  /** A clock that finds the first claim late, and has DynamoDB refuse what comes next. */
  private final class AfterFirst extends Clock {
    private final int sent;
    private boolean moved;

    AfterFirst(int sent) {
      this.sent = sent;
    }

    @Override
    public Instant instant() {
      if (!moved && FAULTS.writes() > sent) {
        moved = true;
        clock.move(Duration.ofSeconds(31));
        FAULTS.refuse(1, "ValidationException");
      }
      return clock.instant();
    }

    @Override
    public ZoneId getZone() {
      return clock.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
