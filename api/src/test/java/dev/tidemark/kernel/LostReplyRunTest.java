package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.InvalidChangeException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A run of which an attempt without an answer may land late")
final class LostReplyRunTest extends RunSteps {
  private final Run<String> run = run(PATIENCE, List.of(write("a"), write("b")));

  /** The first attempt, which is lost; and a later one, made over nothing. */
  private Request<String> lostAndLater() {
    Request<String> first = request(run);
    lose(run);
    assertSame(first, request(run), "the same again");
    refuse(run, Map.of());
    assertTrue(request(run).over() != null, "a later attempt");
    return first;
  }

  @Test
  @DisplayName("is Applied if what is stored has the token of that attempt")
  void ours() {
    Request<String> first = lostAndLater();
    refuse(run, landed(first));
    assertWords(run, "Applied", "Applied");
  }

  @Test
  @DisplayName("is unknown if another wrote since")
  void unknown() {
    Request<String> first = lostAndLater();
    refuse(run, overwritten(landed(first)));
    assertWords(run, "OutcomeUnknownException", "OutcomeUnknownException");
  }

  @Test
  @DisplayName("is a duplicate for what another made, if not all of its messages are known")
  void ofAnother() {
    lostAndLater();
    refuse(run, knowing("a"));
    request(run);
    accept(run);
    assertWords(run, "Duplicate", "Applied");
  }

  @Test
  @DisplayName("goes on after a fault that may be of one; as not all are known, none was applied")
  void halved() {
    request(run);
    lose(run);
    request(run);
    InvalidChangeException fault = new InvalidChangeException("does not fit", KEY, null);
    reply(run, new Reply.Fault<>(fault, true));
    assertEquals(1, request(run).marking().messages().size());
    refuse(run, knowing("a"));
    request(run);
    reply(run, new Reply.Fault<>(fault, true));
    request(run);
    refuse(run, knowing("a"));
    assertWords(run, "Duplicate", "InvalidChangeException");
  }

  @Test
  @DisplayName("is unknown if contention ends the later attempt")
  void contention() {
    lostAndLater();
    for (int i = 0; i < TRIES; i++) {
      request(run);
      reply(run, new Reply.Busy<>(1, null));
    }
    assertWords(run, "OutcomeUnknownException", "OutcomeUnknownException");
  }

  @Test
  @DisplayName("is looked for once more where contention ends the same one: unknown if not there")
  void contentionAtOnce() {
    request(run);
    lose(run);
    for (int i = 0; i < TRIES; i++) {
      request(run);
      reply(run, new Reply.Busy<>(1, null));
    }
    assertLooked(Map.of(), "OutcomeUnknownException");
  }

  @Test
  @DisplayName("is looked for once more where no reply comes at all")
  void never() {
    assertLooked(landed(lostThrice()), "Applied");
  }

  @Test
  @DisplayName("is unknown if no reply comes at all, and its token is not there")
  void neverThere() {
    lostThrice();
    assertLooked(Map.of(), "OutcomeUnknownException");
  }

  @Test
  @DisplayName("is looked for once, and no longer, where the last look has no answer")
  void neverRead() {
    lostThrice();
    assertInstanceOf(Step.Read.class, run.next());
    run.unread(new Reply.Busy<>(1, null));
    assertWords(run, "OutcomeUnknownException", "OutcomeUnknownException");
  }

  @Test
  @DisplayName("is looked for where nobody wants another try, and where the next one is at fault")
  void givenUp() {
    Request<String> first = request(run);
    reply(run, new Reply.Lost<>(false, null));
    assertLooked(landed(first), "Applied");
    Run<String> faulty = run(PATIENCE, List.of(write("a")));
    Request<String> made = request(faulty);
    lose(faulty);
    request(faulty);
    reply(faulty, new Reply.Fault<>(new IllegalStateException("no table"), false));
    assertInstanceOf(Step.Read.class, step(faulty));
    faulty.found(Kept.of(landed(made)));
    assertWords(faulty, "Applied");
  }

  private Request<String> lostThrice() {
    Request<String> first = request(run);
    for (int i = 0; i < 3; i++) {
      assertSame(first, request(run));
      lose(run);
    }
    return first;
  }

  private void assertLooked(Map<String, Object> found, String word) {
    assertInstanceOf(Step.Read.class, run.next(), "at once");
    run.found(Kept.of(found));
    assertWords(run, word, word);
  }

  @Test
  @DisplayName("is unknown if the read that would tell fails")
  void unread() {
    request(run);
    lose(run);
    request(run);
    reply(run, new Reply.Refused<>(null, null));
    assertInstanceOf(Step.Read.class, step(run));
    run.unread(new Reply.Fault<>(new IllegalStateException("no connection"), false));
    assertWords(run, "OutcomeUnknownException", "OutcomeUnknownException");
  }
}
