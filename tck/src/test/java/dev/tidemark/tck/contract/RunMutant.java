package dev.tidemark.tck.contract;

import dev.tidemark.mutants.Edit;
import dev.tidemark.mutants.Mutated;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A run that is wrong in one way.
 *
 * @param name the defect
 * @param edits where it is in the sources of the kernel
 * @param first which of the lives goes first: one that is known to come before a finding
 */
record RunMutant(String name, List<Edit> edits, int first) {
  private static final Path KERNEL = Path.of("../api/src/main/java/dev/tidemark/kernel");

  static RunMutant named(String name, String type, String sound, String wrong) {
    return new RunMutant(name, List.of(edit(type, sound, wrong)), 0);
  }

  private static Edit edit(String type, String sound, String wrong) {
    return new Edit(KERNEL.resolve(type + ".java"), sound, wrong);
  }

  RunMutant and(String type, String sound, String wrong) {
    Stream<Edit> all = Stream.concat(edits.stream(), Stream.of(edit(type, sound, wrong)));
    return new RunMutant(name, all.toList(), first);
  }

  RunMutant from(int life) {
    return new RunMutant(name, edits, life);
  }

  /** Lets it live as the sound run does, and gives what was found, if anything was. */
  Optional<AssertionError> findings(Path folder, long seed, int lives) throws Exception {
    try (Mutated loader = Mutated.of(folder, edits)) {
      loader
          .loadClass(RunTrial.class.getName())
          .getMethod("run", long.class, int.class)
          .invoke(null, seed + first, lives);
      return Optional.empty();
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof AssertionError found) {
        return Optional.of(found);
      }
      throw e;
    }
  }
}
