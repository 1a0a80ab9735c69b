package dev.tidemark.execution;

import dev.tidemark.MessageId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Executions over a map, and a last write that goes into a list. */
abstract class CompletionScene extends ExecutionScene {
  final List<MessageId> made = new ArrayList<>();
  Optional<Duration> toldFor = Optional.empty();

  final Completion<String, Integer> completion =
      new Completion<>() {
        @Override
        public Optional<Integer> find(MessageId message) {
          return made.contains(message) ? Optional.of(made.indexOf(message)) : Optional.empty();
        }

        @Override
        public Optional<Made<Integer>> make(MessageId message, String prepared) {
          boolean before = made.contains(message);
          if (!before) {
            made.add(message);
          }
          return find(message).map(result -> new Made<>(result, before));
        }

        @Override
        public Optional<Duration> toldFor() {
          return toldFor;
        }
      };
}
