package dev.tidemark.dynamodb;

import dev.tidemark.mutants.SourceMutant;
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
            "a value written over since it is stored in another form each time",
            "Item",
            "mapping.properties().unlessSame(name, earlier.get(name), value)",
            "value",
            ConverterTest.class,
            "encrypted"),
        SourceMutant.of(
            "a condition on what is encrypted, which is never true",
            "Properties",
            "type(path) != null && !stored.equals(convert(path, value, conversion))",
            "false",
            ConverterTest.class,
            "neverTrue"),
        SourceMutant.of(
            "a constant that brings back what was cleared",
            "Item",
            "() -> mapping.attributes(mapping.entity(stored), true)",
            "java.util.HashMap::new",
            FilledInTest.class,
            "cleared"),
        SourceMutant.of(
            "an entity that an outcome shows, given to the next function",
            "Item",
            "recorded = messages;\n      restore(messages);",
            "recorded = messages;",
            FilledInTest.class,
            "batch"),
        SourceMutant.of(
            "a key that its converter does not see",
            "Keys",
            "!bare || (property.isCustom() && property.hasClassOf(type))",
            "!bare",
            ConverterTest.class,
            "keys"),
        SourceMutant.of(
            "a value that its converter does not see",
            "PropertyType",
            "if (isCustom) {",
            "if (isCustom && type == null) {",
            ConverterTest.class,
            "values"),
        SourceMutant.of(
            "a sum that a converter does not store",
            "PropertyType",
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
            "an order of what has none",
            "StoredOrder",
            "stored.b() == null) {",
            "stored.bool() == null) {",
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
            "boolean isId = marking.messages().get(0) instanceof MessageId",
            "boolean isId = marking.messages().isEmpty()",
            EnhancedRequestsTest.class,
            "transactions"),
        SourceMutant.of(
            "a mark that no transaction writes, as contention",
            "RefusedWrites",
            "if (update == null && !whole && !mapping.carriesMarks()) {",
            "if (whole && !mapping.carriesMarks()) {",
            EnhancedRequestsTest.class,
            "generations"),
        SourceMutant.of(
            "sources that no transaction counts, as contention",
            "RefusedWrites",
            "if (isCounted || isKept) {",
            "if (isKept) {",
            EnhancedRequestsTest.class,
            "manySources"),
        SourceMutant.of(
            "sources that are counted under a new bound, as a fault",
            "RefusedWrites",
            "isCounted ? marking.opens(found) : isKept && isId",
            "!isCounted && isKept && isId",
            EnhancedRequestsTest.class,
            "raisedBound"),
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
            "a bean with nothing that is not written",
            "NativeEdits",
            "path.size() > 1 || hasMember(value.m())",
            "path.size() > 1 || !value.m().isEmpty()",
            EnhancedRequestsTest.class,
            "emptyBeans"),
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
        new SourceMutant(
            "a record that was read later, taken for what refused the write",
            Path.of("../api/src/main/java/dev/tidemark/kernel/RuleRefusal.java"),
            "? (atOnce && passesAllElse(request, stored))",
            "? passesAllElse(request, stored)",
            RefusalsWithoutItemTest.class,
            "createdMeanwhile"),
        new SourceMutant(
            "a rule that refuses where the shape did",
            Path.of("../api/src/main/java/dev/tidemark/kernel/RuleRefusal.java"),
            " && stored.fits(request.effect());",
            ";",
            NullsTest.class,
            "conditions"),
        new SourceMutant(
            "a tombstone that a rule takes for an entity",
            Path.of("../api/src/main/java/dev/tidemark/kernel/RuleRefusal.java"),
            "!Evaluator.test(rule, Map.of())",
            "rule.equals(Condition.never())",
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
            "a counter that a batch's functions find as it was",
            "Item",
            "messages;\n      restore(messages);",
            "messages;\n      restore(0);",
            CountersTest.class,
            "found"),
        SourceMutant.of(
            "a key of bytes that is another entity each time",
            "Keys",
            "EntityKey.key(Objects.requireNonNull(read)).parts().get(0)",
            "Objects.requireNonNull(read)",
            ValueClassesTest.class,
            "keys"),
        SourceMutant.of(
            "a key that is not the one which it was read from",
            "Keys",
            "stored.equals(spelled(value(key))) ? key : stored",
            "key",
            KeyClassesTest.class,
            "oneKey"),
        SourceMutant.of(
            "a number that stands for no value of a class",
            "Keys",
            "case N -> value instanceof Number && !property.hasClassOf(type);",
            "case N -> false;",
            KeyClassesTest.class,
            "everyCall"),
        SourceMutant.of(
            "a batch that ends at a key whose converter fails",
            "Keys",
            "catch (RuntimeException | Error e) { // a converter's, too",
            "catch (IllegalArgumentException e) {",
            KeyClassesTest.class,
            "failing"),
        SourceMutant.of(
            "a filter of live entities that joins with no other",
            "DynamoDbAsyncEntityStore",
            "NOT (attribute_exists(#tidemarkTombstone) AND #tidemarkTombstone <> :tidemarkNull)",
            "(attribute_not_exists(#tidemarkTombstone) OR #tidemarkTombstone = :tidemarkNull)",
            NativeUpdateTest.class,
            "liveAndOwn"),
        SourceMutant.of(
            "a text that a key's converter does not read, for an Error of the class path",
            "Keys",
            "catch (RuntimeException | Error e) {\n        Throwable unused = Faults.survived(e);\n        return null;",
            "catch (RuntimeException e) {\n        return null;",
            KeyClassesTest.class,
            "failing"),
        SourceMutant.of(
            "a request whose key is spelled in another way",
            "NativeEdits",
            "!Values.isSame(\n            AttributeValue.fromM(request.key()), AttributeValue.fromM(mapping.keys().of(key)))",
            "!request.key().equals(mapping.keys().of(key))",
            KeyClassesTest.class,
            "everyCall"),
        SourceMutant.of(
            "a native update without a clause, which only records",
            "DynamoDbNativeUpdate",
            ".isBlank()",
            ".isEmpty()",
            NativeUpdateTest.class,
            "nothing"),
        SourceMutant.of(
            "values that are too large, taken for a change that does not fit",
            "Faults",
            "ExpressionAttributeValues exceeds max size",
            "ExpressionAttributeValues are large",
            InputTest.class,
            "tooLarge"),
        SourceMutant.of(
            "messages under an ID and a shard of the key as it is given",
            "Calls",
            "single(canonical(formed))",
            "single(recall.isOn() ? canonical(formed) : formed)",
            KeyClassesTest.class,
            "publishes"),
        SourceMutant.of(
            "the ID of a transaction's own message, of the key as it is given",
            "TrackedPart",
            "this.key = runner.key();",
            "this.key = write.key();",
            KeyClassesTest.class,
            "publishes"),
        SourceMutant.of(
            "a number that is none, which is compared as one",
            "Values",
            "case N, SS, NS, BS -> isEqual(one, other);",
            "case N, SS, NS, BS -> Objects.equals(toNeutral(one), toNeutral(other));",
            EqualSetsTest.class,
            "differs"),
        SourceMutant.of(
            "a set written over that a batch leaves as it was",
            "Item",
            "unlessSame(name, before, unlessSame(name, last, value))",
            "unlessSame(name, last, value)",
            EqualSetsTest.class,
            "keptByBatch"),
        SourceMutant.of(
            "an equal set that a function writes over",
            "Properties",
            "Values.isSame(before, after) || ",
            "",
            EqualSetsTest.class,
            "kept"),
        SourceMutant.of(
            "a sum that no atomic number holds",
            "PropertyType",
            "AtomicLong.class, Long.MAX_VALUE,",
            "",
            ValueClassesTest.class,
            "sums"),
        SourceMutant.of(
            "a sum of decimals that no whole number holds",
            "Properties",
            "type != null ? type.highest() : isWhole(amount)",
            "type != null && isWhole(amount) ? type.highest() : isWhole(amount)",
            ValueClassesTest.class,
            "sums"),
        new SourceMutant(
            "a key of the SDK's number without its fraction",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Evaluator.java"),
            "if (number instanceof Long || number instanceof Integer) {",
            "if (!(number instanceof Double || number instanceof Float)) {",
            KeySpellingTest.class,
            "numbersOfTheSdk"),
        SourceMutant.of(
            "members of a map whose keys are no texts, as they come",
            "PropertyType",
            "keys == null ? null : MapKeys.read(keys, name)",
            "keys == null || keys.rawClass() != String.class ? null : name",
            MapKeysTest.class,
            "sums"),
        SourceMutant.of(
            "a name that no key of a map has",
            "MapKeys",
            "name.equals(written(type, key))",
            "key != name",
            MapKeysTest.class,
            "names"),
        SourceMutant.of(
            "a path into a map that is refused for its converter",
            "Properties",
            "type.isCustom() && type.keys() == null",
            "type.isCustom()",
            MapKeysTest.class,
            "convertedMap"),
        SourceMutant.of(
            "a generated time that the next function of a batch does not find",
            "Item",
            "times = mapping.times(result);",
            "",
            GeneratedValuesTest.class,
            "ofNewEntities"),
        SourceMutant.of(
            "a path into what a converter stores",
            "Properties",
            "type.isCustom() && type.keys() == null\n            ? \"which",
            "type.name().isEmpty()\n            ? \"which",
            MapKeysTest.class,
            "converters"),
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
