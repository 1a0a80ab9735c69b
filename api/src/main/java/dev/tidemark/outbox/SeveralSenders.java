package dev.tidemark.outbox;

import java.util.ArrayList;
import java.util.List;

/** Sends each message by all of several senders, one after the other. */
record SeveralSenders(List<Sender> senders) implements Sender {
  SeveralSenders {
    if (senders.isEmpty()) {
      throw new IllegalArgumentException("senders must be at least one, were none");
    }
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    List<Sent> all = new ArrayList<>(senders.get(0).send(messages));
    for (Sender sender : senders.subList(1, senders.size())) {
      List<Sent> answers = sender.send(messages);
      if (answers.size() != all.size()) {
        throw new IllegalStateException(
            "the sender has to answer for each of %d messages, and answered for %d"
                .formatted(all.size(), answers.size()));
      }
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i) instanceof Sent.Taken) {
          all.set(i, answers.get(i));
        }
      }
    }
    return all;
  }
}
