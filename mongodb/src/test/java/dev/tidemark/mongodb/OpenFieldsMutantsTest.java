package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What entities and their codecs break: sources with a few words replaced. */
@DisplayName("The tests of open fields and of codecs on MongoDB catch")
final class OpenFieldsMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = MongoServers.uri();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a function whose fields are dropped without a word",
            "Mapping",
            "    markFields.requireNone(document, type);\n    return document;",
            "    return markFields.withoutMarks(document);",
            OpenFieldsTest.class,
            "functions"),
        SourceMutant.of(
            "an entity that writes marks beside those that it carries",
            "MongoMarksCodec",
            "    markFields.requireNone(document, getEncoderClass());\n",
            "",
            OpenFieldsTest.class,
            "codec"),
        SourceMutant.of(
            "operators that name what tracking owns",
            "MongoNativeUpdate",
            "        properties.requireChangeable(Joint.field(field.getKey()), key);\n",
            "",
            OpenFieldsTest.class,
            "natives"),
        SourceMutant.of(
            "an Error of a codec that ends a batch",
            "Mapping",
            "catch (Throwable e) { // a codec's, whatever it throws",
            "catch (RuntimeException e) {",
            CodecErrorsTest.class,
            "errors"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
