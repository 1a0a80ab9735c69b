package dev.tidemark;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a caller leaves out, or gives too much of, and nobody refuses. */
@DisplayName("The tests of what callers give catch")
final class InputMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        new SourceMutant(
            "an outgoing message's ID that no key can hold",
            Path.of("src/main/java/dev/tidemark/OutgoingMessage.java"),
            "Text.atMost(MOST_OF_ID, \"id\", id)",
            "Text.notEmpty(\"id\", id)",
            IdentityTest.class,
            "validation"),
        new SourceMutant(
            "a message ID of any length",
            Path.of("src/main/java/dev/tidemark/kernel/Text.java"),
            "text.length() > most",
            "text.isEmpty()",
            IdentityTest.class,
            "validation"),
        SourceMutant.of(
            "a null that retires at the call",
            "EntityUpdate",
            "Text.given(\"source of retire()\", source)",
            "source",
            InputTest.class,
            "nulls"),
        SourceMutant.of(
            "a null in place of elements",
            "Change",
            "Text.given(\"elements of \" + method + \"() of attribute '\" + path + \"'\", elements)",
            "elements",
            InputTest.class,
            "nulls"),
        SourceMutant.of(
            "a copy of another class",
            "Copies",
            "type.getConstructor().newInstance()",
            "usual",
            ChangeTest.class,
            "ownClasses"),
        new SourceMutant(
            "a null among the writes of a batch",
            Path.of("src/main/java/dev/tidemark/kernel/Batch.java"),
            "Text.given(\"write \" + place++ + \" of the batch\", write);",
            "place++;",
            InputTest.class,
            "nulls"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
