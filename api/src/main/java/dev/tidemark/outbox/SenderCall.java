package dev.tidemark.outbox;

import dev.tidemark.kernel.Faults;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a call of a sender, whatever the sender did. A call that threw, or did not answer
 * for each message, failed as a whole: nobody knows which of its messages is to blame, or which
 * were delivered.
 *
 * @param answers for each message in order; none if the call failed as a whole
 * @param failure why the call failed as a whole; null if it did not
 */
record SenderCall(List<Sent> answers, @Nullable Throwable failure) {
  /**
   * Calls a sender.
   *
   * @throws InterruptedException if the sender does
   */
  static SenderCall of(Sender sender, List<OutboxMessage> messages) throws InterruptedException {
    try {
      return checked(messages.size(), sender.send(messages));
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) { // whatever a sender throws, the other messages can be sent
      return new SenderCall(List.of(), e);
    }
  }

  private static SenderCall checked(int messages, @Nullable List<Sent> answers) {
    List<Sent> told = answers == null ? List.of() : new ArrayList<>(answers);
    if (told.size() != messages) {
      throw new IllegalStateException(
          "the sender has to answer for each of %d messages, and answered for %s"
              .formatted(messages, answers == null ? "none" : "" + told.size()));
    }
    told.replaceAll(SenderCall::answered);
    return new SenderCall(told, null);
  }

  private static Sent answered(@Nullable Sent answer) {
    if (answer instanceof Sent.Failed failed && failed.blame() == Sent.Blame.UNKNOWN) {
      return new Sent.Failed(failed.error(), failed(failed.error()).blame(), failed.destinations());
    }
    return answer == null
        ? Sent.failed(
            new IllegalStateException(
                "the sender has answered null for a message, which counts as not sent"))
        : answer;
  }

  /** What says nothing against a message where its sender had no thread for it. */
  static Sent.Failed failed(Throwable error) {
    return Faults.isOfProcess(error) ? Sent.deferred(error) : Sent.failed(error);
  }
}
