package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

@DisplayName("The test of a mutant")
class AbortedMutantTest {
  /** Tests of a machine that lacks something. */
  static final class Scene {
    void runs() {
      assertEquals("Key[1 value]", EntityKey.key("a").toString());
    }

    void lacks() {
      assumeTrue(false, "not on this machine");
    }

    void abortsIfWrong() {
      assumeTrue(EntityKey.key("a").toString().equals("Key[1 value]"));
    }
  }

  private static SourceMutant of(String test) {
    return SourceMutant.of("", "EntityKey", "\" value]\"", "\"]\"", Scene.class, test);
  }

  @Test
  @DisplayName("aborts where it cannot run, though another of its class has run")
  void aborts(@TempDir Path one, @TempDir Path two) throws Exception {
    of("runs").assertCaught(one);
    assertThrows(TestAbortedException.class, () -> of("lacks").assertCaught(two));
  }

  @Test
  @DisplayName("has not caught a mutant with which alone it aborts")
  void abortsIfWrong(@TempDir Path folder) {
    assertThrows(AssertionError.class, () -> of("abortsIfWrong").assertCaught(folder));
  }
}
