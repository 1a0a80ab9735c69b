package dev.tidemark.tck.contract;

import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.GUARDS)
@DisplayName("Lives in which every option is in the dice")
final class EveryOptionContract {
  /** How often a life that went wrong is lived again, to be told in few words. */
  private static final int MOST_TRIES = 150;

  private final Backend backend;

  EveryOptionContract(Backend backend) {
    this.backend = backend;
  }

  @Test
  @DisplayName("tell and leave what their messages do one by one on a map")
  void lives() {
    long first = Sizes.seed();
    System.out.println("lives of every option: -Dtidemark.seed=" + first);
    for (long seed = first; seed < first + Sizes.lives(backend); seed++) {
      lived(backend, seed).ifPresent(Assertions::fail);
    }
  }

  /** What went wrong in a life, told by as few of its rounds and writes as it takes. */
  static Optional<String> lived(Backend backend, long seed) {
    EveryOptionContract contract = new EveryOptionContract(backend);
    List<RandomLife.Round> rounds = new RandomLife(seed).rounds();
    return contract
        .wrong(rounds)
        .map(
            wrong -> {
              List<RandomLife.Round> fewer = contract.fewer(rounds);
              Throwable told = contract.wrong(fewer).orElse(wrong);
              String story = fewer.stream().map(Object::toString).collect(Collectors.joining("\n"));
              return "repeat with -Dtidemark.seed=%d: %s%nafter%n%s".formatted(seed, told, story);
            });
  }

  private Optional<Throwable> wrong(List<RandomLife.Round> rounds) {
    try {
      new LivedLife(backend).live(rounds);
      return Optional.empty();
    } catch (AssertionError | RuntimeException e) {
      return Optional.of(e);
    }
  }

  /** The same life without the rounds and writes that it goes wrong without. */
  private List<RandomLife.Round> fewer(List<RandomLife.Round> rounds) {
    List<RandomLife.Round> left = new ArrayList<>(rounds);
    int tries = 0;
    for (int number = left.size() - 1; number >= 0 && tries < MOST_TRIES; number--) {
      RandomLife.Round round = left.remove(number);
      tries++;
      if (wrong(left).isEmpty()) {
        left.add(number, round);
      }
    }
    for (int number = left.size() - 1; number >= 0; number--) {
      for (int write = left.get(number).writes().size() - 1; write >= 0; write--) {
        RandomLife.Round round = left.get(number);
        left.set(number, round.without(write));
        if (++tries > MOST_TRIES || wrong(left).isEmpty()) {
          left.set(number, round);
        }
      }
    }
    return left;
  }
}
