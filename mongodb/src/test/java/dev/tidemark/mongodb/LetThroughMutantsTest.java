package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes and conditions that are let through, or end more than themselves. */
@DisplayName("The tests of what is refused on MongoDB catch")
final class LetThroughMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void started() {
    String unused = MongoServers.uri();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a null in a list that no codec of its class reads",
            "PropertyType",
            "if (value == null || value instanceof BsonNull) {",
            "if (value == null) {",
            GivenBsonTest.class,
            "inside"),
        SourceMutant.of(
            "an element of BSON that nobody reads",
            "PropertyType",
            "return value instanceof BsonValue ready ? checked(ready) : stored(value);",
            "return stored(value);",
            GivenBsonTest.class,
            "inside"),
        SourceMutant.of(
            "a null in a document of the driver that ends a change",
            "Values",
            "value == null ? BsonNull.VALUE : (BsonValue) value",
            "(BsonValue) java.util.Objects.requireNonNull(value)",
            NullMembersTest.class,
            "stored"),
        SourceMutant.of(
            "a condition that compares with what nobody reads",
            "PropertyType",
            "&& !isComparable(ready)",
            "&& value == null",
            GivenBsonTest.class,
            "conditions"),
        SourceMutant.of(
            "a condition of numbers that takes those of one class",
            "PropertyType",
            "(value.isNumber() && isNumber() && isDrivers()) ||",
            "",
            GivenBsonTest.class,
            "conditions"),
        SourceMutant.of(
            "a key of BSON that the class does not read",
            "PropertyValues",
            "? convert(path, ready, PropertyType::checked)",
            "? convert(path, ready, PropertyType::stored)",
            GivenBsonTest.class,
            "keys"),
        SourceMutant.of(
            "a part that is made of nothing",
            "Properties",
            "    if (operation.createsParents()) {",
            "    if (operation.createsParents() && operation.kind() != Operation.Kind.REMOVE) {",
            ReadBackTest.class,
            "emptied"),
        SourceMutant.of(
            "an order of values that have none",
            "StoredOrder",
            ": has(stored);",
            ": has(stored) || value instanceof BsonValue;",
            OrderConditionsTest.class,
            "unordered"),
        SourceMutant.of(
            "a float that rounds whole numbers",
            "NumberClass",
            "holds(Long.MAX_VALUE, exact) ? new BigDecimal(binary)",
            "exact == null ? new BigDecimal(binary)",
            ReadBackTest.class,
            "floats"),
        SourceMutant.of(
            "a condition that asks for marks",
            "Properties",
            "if (names.owns(path.segments().get(0))) {",
            "if (path.segments().isEmpty()) {",
            InputTest.class,
            "ownedByTracking"),
        SourceMutant.of(
            "a record that ends all writes of a session",
            "Runner",
            " && !(e instanceof CorruptRecordException)",
            "",
            BatchInSessionTest.class,
            "corrupt"),
        SourceMutant.of(
            "a filter by which no refusal is read",
            "MongoNativeUpdate",
            "if (UNREAD.contains(name)) {",
            "if (UNREAD.isEmpty()) {",
            NativeGuardsTest.class,
            "unread"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
