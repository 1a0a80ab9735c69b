package dev.tidemark.dynamodb;

import dev.tidemark.tck.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that go past the converters of their attributes, and maps that are not made. */
@DisplayName("The tests of values on DynamoDB catch")
final class ValueMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void started() {
    DynamoDbTables.client().close();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a key that its converter does not see",
            "Keys",
            "!bare || (property.isCustom() && property.hasClassOf(type))",
            "!bare",
            ConverterTest.class,
            "keys"),
        SourceMutant.of(
            "a value that its converter does not see",
            "Properties",
            "if (isCustom) {",
            "if (isCustom && type == null) {",
            ConverterTest.class,
            "values"),
        SourceMutant.of(
            "a sum that a converter does not store",
            "Properties",
            "isCustom && !isLinear(amount, value)",
            "false",
            ConverterTest.class,
            "values"),
        SourceMutant.of(
            "an order of texts that is not that of the values",
            "StoredOrder",
            "return PLAIN.stream().anyMatch(type -> type.isInstance(value))",
            "return stored.s() != null",
            OrderConditionsTest.class,
            "order"),
        SourceMutant.of(
            "an instant whose text ends before the bound",
            "StoredOrder",
            "List.of(0, 4, 7)",
            "List.of(0, 4)",
            OrderConditionsTest.class,
            "order"),
        SourceMutant.of(
            "a year of five digits that sorts first",
            "StoredOrder",
            "AttributeValue.fromS(\",\")",
            "AttributeValue.fromS(\" \")",
            OrderConditionsTest.class,
            "years"),
        SourceMutant.of(
            "a refused request that is made with nulls of its own",
            "RefusedWrites",
            "calls.natives().edit(request, ",
            "calls.natives().edit(request.toBuilder().ignoreNullsMode(null).build(), ",
            EnhancedRequestsTest.class,
            "nulls"),
        SourceMutant.of(
            "marks that no transaction prunes",
            "RefusedWrites",
            "throw marking.messages().get(0) instanceof MessageId",
            "throw marking.messages().isEmpty()",
            EnhancedRequestsTest.class,
            "transactions"),
        SourceMutant.of(
            "a mark that no transaction writes, as contention",
            "RefusedWrites",
            "if (update == null && !whole && isKept) {",
            "if (whole && isKept) {",
            EnhancedRequestsTest.class,
            "generations"),
        new SourceMutant(
            "a slot that is opened before it has an ID",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Slots.java"),
            "id != null && policy.keptFor().isPresent()",
            "policy.keptFor().isPresent()",
            EnhancedRequestsTest.class,
            "transactions"),
        SourceMutant.of(
            "an empty map that replaces one inside another",
            "NativeEdits",
            "path.size() > 1 || ",
            "",
            EnhancedRequestsTest.class,
            "emptyMaps"),
        SourceMutant.of(
            "a NULL that an update builds upon",
            "Parents",
            "meetsNull(item, operation) ? inPlace(operation, properties) : operation",
            "operation",
            NullsTest.class,
            "changes"),
        SourceMutant.of(
            "a NULL that a blind write meets",
            "Edit",
            "!properties.isOfMarks() && Parents.buildsUpon(operation)",
            "false",
            NullsTest.class,
            "each"),
        SourceMutant.of(
            "a NULL that exists",
            "Conditions",
            "if (properties.isOfMarks()) {",
            "if (!aliases.names().isEmpty()) {",
            NullsTest.class,
            "conditions"),
        SourceMutant.of(
            "a tombstone that a rule takes for an entity",
            "Edit",
            "holds ? null : Condition.never()",
            "rule",
            EnhancedRequestsTest.class,
            "keyConditions"),
        SourceMutant.of(
            "a tombstone that an expression takes for an entity",
            "Edit",
            "own.overNothing(keys.attributes())",
            "own",
            EnhancedRequestsTest.class,
            "keyConditions"),
        SourceMutant.of(
            "a counter that counts a batch once",
            "Counters",
            "messages * counter.amount()",
            "counter.amount()",
            CountersTest.class,
            "changes"),
        SourceMutant.of(
            "a key of bytes that is another entity each time",
            "Keys",
            "key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key",
            "key",
            ValueClassesTest.class,
            "keys"),
        SourceMutant.of(
            "a sum that no atomic number holds",
            "Properties",
            "HIGHEST.get(type == AtomicLong.class ? Long.class : type)",
            "HIGHEST.get(type)",
            ValueClassesTest.class,
            "sums"),
        SourceMutant.of(
            "a missing map that is written into",
            "Parents",
            "if (isNothing(at(item, parent))) {",
            "if (item.isEmpty()) {",
            ParentsTest.class,
            "requests"),
        SourceMutant.of(
            "a NULL that is taken for a map",
            "Parents",
            "value == null || value.type() == AttributeValue.Type.NUL",
            "value == null",
            ParentsTest.class,
            "nulls"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
