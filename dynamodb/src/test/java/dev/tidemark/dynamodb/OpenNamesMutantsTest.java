package dev.tidemark.dynamodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What entities and their converters break: sources with a few words replaced. */
@DisplayName("The tests of open names, generated values and converters on DynamoDB catch")
final class OpenNamesMutantsTest {
  /** Starts the store that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = DynamoDbEndpoint.get();
  }

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    return SourceMutant.of(name, type, sound, wrong, OpenNamesTest.class, test);
  }

  static List<SourceMutant> mutants() {
    String own = "    requireUnowned(mapped.keySet());\n";
    return List.of(
        mutant("a function that erases ids", "Mapping", own, "", "functions"),
        mutant("a function that creates a tombstone", "Mapping", own, "", "creates"),
        mutant("an item of the Enhanced Client's with marks", "Mapping", own, "", "natives"),
        mutant(
            "an item with marks of its own under the extension",
            "TidemarkExtension",
            "    tracked.mapping().requireUnowned(item.keySet());\n",
            "",
            "extension"),
        mutant(
            "a change that names marks of a document",
            "Operations",
            "      of.checkChange(operation.path().segments().get(0));\n",
            "",
            "changes"),
        mutant(
            "a condition that asks for marks",
            "Properties",
            "if (owned.test(attribute)) {",
            "if (attribute.isEmpty()) {",
            "conditions"),
        SourceMutant.of(
            "a generated time that is that of an earlier write",
            "Writes",
            " || mapping.counters().hasTimes()",
            "",
            GeneratedValuesTest.class,
            "times"),
        SourceMutant.of(
            "a time of the creation that every write moves on",
            "Operations",
            "once ? orElse(path, value) : value(value)",
            "value(value)",
            GeneratedValuesTest.class,
            "times"),
        SourceMutant.of(
            "an Error of a converter that ends a batch",
            "Mapping",
            "catch (Throwable e) { // a converter's, whatever it throws",
            "catch (RuntimeException e) {",
            ConverterErrorsTest.class,
            "errors"),
        SourceMutant.of(
            "an Error of a key's converter that ends the read of all",
            "Keys",
            "catch (RuntimeException | Error e) {\n        Throwable unused = Faults.survived(e);\n        return stored;",
            "catch (RuntimeException e) {\n        return stored;",
            ConverterErrorsTest.class,
            "keys"),
        new SourceMutant(
            "a carrier's source that no template can be made for",
            Path.of("../api/src/main/java/dev/tidemark/kernel/PlainMessage.java"),
            "new Source(event.source().type(), MODEL, 0)",
            "Source.of(event.source().type(), MODEL)",
            TemplateTest.class,
            "carriers"),
        new SourceMutant(
            "an Error of a function that ends a batch",
            Path.of("../api/src/main/java/dev/tidemark/kernel/InformedWalk.java"),
            "catch (Throwable e) { // of a function or a codec of the caller's, whatever it throws",
            "catch (RuntimeException e) {",
            ConverterErrorsTest.class,
            "errors"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
