package dev.tidemark.outbox;

import dev.tidemark.outbox.Sent.Failed;
import dev.tidemark.outbox.Sent.Taken;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Sends each message by all of several senders, one after the other. A sender whose call with
 * several messages fails as a whole fails this call too: the relay repeats it one by one.
 */
record SeveralSenders(List<Sender> senders) implements Sender {
  SeveralSenders {
    if (senders.isEmpty()) {
      throw new IllegalArgumentException("senders must be at least one, were none");
    }
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    List<Sent> all = new ArrayList<>();
    for (int i = 0; i < senders.size(); i++) {
      List<Sent> answers = answers(senders.get(i), messages);
      for (int j = 0; j < messages.size(); j++) {
        Sent answer = from(i, messages.get(j), answers.get(j));
        if (i == 0) {
          all.add(answer);
        } else {
          all.set(j, both(all.get(j), answer));
        }
      }
    }
    return all;
  }

  /** A sender that throws for one message does not keep it from the other senders. */
  private static List<Sent> answers(Sender sender, List<OutboxMessage> messages)
      throws InterruptedException {
    SenderCall call = SenderCall.of(sender, messages);
    Throwable failure = call.failure();
    if (failure == null) {
      return call.answers();
    }
    if (messages.size() == 1) {
      return List.of(SenderCall.failed(failure));
    }
    throw new IllegalStateException(
        "a sender has failed for all of " + messages.size() + " messages", failure);
  }

  /** An answer whose destinations are not those of other senders. */
  private static Sent from(int sender, OutboxMessage message, Sent answer) {
    Set<String> all = Patience.destinations(message, answer);
    return answer.at(all.stream().map(one -> sender + "/" + one).toArray(String[]::new));
  }

  /** Taken if both are; of two failures the one that says less against the message. */
  private static Sent both(Sent one, Sent other) {
    Set<String> destinations = new LinkedHashSet<>(one.destinations());
    destinations.addAll(other.destinations());
    if (one instanceof Failed first && other instanceof Failed second) {
      int order = first.blame().compareTo(second.blame());
      return order == 0
          ? new Failed(first.error(), first.blame(), destinations)
          : order > 0 ? first : second;
    }
    if (one instanceof Taken && other instanceof Taken) {
      return new Taken(destinations);
    }
    return one instanceof Failed ? one : other;
  }
}
