package dev.tidemark.execution;

import dev.tidemark.MessageId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Executions over a map, and a last write that goes into a list. */
abstract class CompletionScene extends ExecutionScene {
  final List<MessageId> made = new ArrayList<>();
  Optional<Duration> toldFor = Optional.empty();
  Optional<Duration> toldIfDeletedFor = Optional.empty();
  boolean refuses;

  final Completion<String, Integer> completion = new Listed<>(made::indexOf);

  /** A last write that tells always the same. */
  <R> Completion<String, R> telling(R result) {
    return new Listed<>(any -> result);
  }

  private final class Listed<R> implements Completion<String, R> {
    private final Function<MessageId, R> result;

    Listed(Function<MessageId, R> result) {
      this.result = result;
    }

    @Override
    public Optional<R> find(MessageId message) {
      return made.contains(message) ? Optional.of(result.apply(message)) : Optional.empty();
    }

    @Override
    public Optional<Made<R>> make(MessageId message, String prepared) {
      boolean before = made.contains(message);
      if (!before && !refuses) {
        made.add(message);
      }
      return find(message).map(told -> new Made<>(told, before));
    }

    @Override
    public Optional<Duration> toldFor() {
      return toldFor;
    }

    @Override
    public Optional<Duration> toldIfDeletedFor() {
      return toldIfDeletedFor.or(() -> toldFor);
    }
  }
}
