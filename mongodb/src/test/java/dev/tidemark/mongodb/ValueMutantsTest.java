package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that are stored otherwise than their properties' codecs do: a few words replaced. */
@DisplayName("The tests of values on MongoDB catch")
final class ValueMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void started() {
    String unused = MongoServers.uri();
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a decimal that takes no whole number",
            "NumberClass",
            "return exact;",
            "return null;",
            ReadBackTest.class,
            "decimals"),
        SourceMutant.of(
            "a key in an order that its class does not write",
            "Mapping",
            "requireOrder(mapped.keyOrder(), keyFields);",
            "",
            MappingTest.class,
            "compoundOrder"),
        SourceMutant.of(
            "a property of all marks that a change sets",
            "Properties",
            "names.owns(field) || owner.isMarks(field)",
            "names.owns(field)",
            MarksTest.class,
            "changed"),
        SourceMutant.of(
            "a record that its constructor refuses",
            "PropertyValues",
            ": MappedClass.isMapped(codec) && !reads(owner.least());",
            ": MappedClass.isMapped(codec) && owner.least() == null;",
            ReadBackTest.class,
            "checked"),
        SourceMutant.of(
            "a UUID that is taken for its bytes",
            "ReadRule",
            "List.of(value.asBinary().getType(), neutral)",
            "List.of(value.getBsonType(), neutral)",
            SpelledKeysTest.class,
            "bytes"),
        SourceMutant.of(
            "keys and conditions of times that are cut",
            "FineTimes",
            "% MILLISECOND != 0",
            "% MILLISECOND == MILLISECOND",
            TimesTest.class,
            "keys"),
        SourceMutant.of(
            "keys with parts of which a time is cut",
            "FineTimes",
            "if (DriverModel.has(codec)) {",
            "if (codec == null) {",
            TimesTest.class,
            "parts"),
        SourceMutant.of(
            "names that are compared in place of the values",
            "StoredOrder",
            "isText && stored",
            "stored",
            OrderConditionsTest.class,
            "refused"),
        SourceMutant.of(
            "a path into what a provider of a property stores",
            "PropertyType",
            " && !type.getName().startsWith(\"java.\")",
            "",
            ClassesOfPartsTest.class,
            "optionals"),
        SourceMutant.of(
            "a new entity of a concrete class that nobody with its base class can read",
            "MappedClass",
            "return model == null || !model.useDiscriminator()",
            "return true || model == null",
            OwnClassCodecTest.class,
            "concreteClasses"),
        SourceMutant.of(
            "a value that passes for read since its codec writes another one each time",
            "PropertyValues",
            "&& found.equals(owner.find(Values.read(again, any()), property));",
            ";",
            OwnClassCodecTest.class,
            "generated"),
        SourceMutant.of(
            "a caller's own operators that get the name of a class",
            "MongoNativeUpdate",
            "context.registry()).clone();",
            "context.registry());",
            OwnClassCodecTest.class,
            "givenOperators"),
        SourceMutant.of(
            "a value refused since its codec writes another text each time",
            "PropertyValues",
            "isSame || isAnotherFormOf(entity, again, path)",
            "isSame",
            OwnClassCodecTest.class,
            "encrypted"),
        SourceMutant.of(
            "a condition on what is encrypted, which is never true",
            "PropertyValues",
            "!compared(test).equals(compared(test))",
            "compared(test) == null",
            OwnClassCodecTest.class,
            "neverTrue"),
        SourceMutant.of(
            "a value written over since it is stored in another form each time",
            "StoredDocument",
            "mapping.values().unlessSame(name, last.get(name), value)",
            "value",
            OwnClassCodecTest.class,
            "encryptedBesideFunctions"),
        SourceMutant.of(
            "a change lost since a class calls it equal",
            "PropertyType",
            "SameValue.isSame(value, Values.decodeBy(one, codec))",
            "value.equals(Values.decodeBy(one, codec))",
            SetOrderTest.class,
            "changedInOtherOrder"),
        SourceMutant.of(
            "a field of others whose name keeps functions out",
            "StoredDocument",
            "if (!value.equals(last.get(name))) {",
            "if (!value.isNull()) {",
            OddNamesTest.class,
            "stays"),
        SourceMutant.of(
            "a constant that brings back what was cleared",
            "StoredDocument",
            "() -> mapping.document(mapping.entity(stored))",
            "BsonDocument::new",
            FilledInTest.class,
            "cleared"),
        SourceMutant.of(
            "an entity that an outcome shows, given to the next function",
            "StoredDocument",
            "begin();\n      restore();",
            "begin();",
            FilledInTest.class,
            "batch"),
        SourceMutant.of(
            "a key that its property's codec does not see",
            "PropertyValues",
            "BsonValue key = convert(path, value, PropertyType::stored);",
            "BsonValue key = Values.encode(value, registry);",
            PropertyCodecTest.class,
            "compound"),
        SourceMutant.of(
            "a value that its property's codec does not see",
            "PropertyValues",
            "convert(path, operation.value(), PropertyType::stored);",
            "Values.encode(operation.value(), registry);",
            PropertyCodecTest.class,
            "values"),
        SourceMutant.of(
            "a member that the codec of its class does not see",
            "PropertyValues",
            "type = type.member(path.segments().get(i));",
            "type = null;",
            PropertyCodecTest.class,
            "parts"),
        SourceMutant.of(
            "a condition that the property's codec does not see",
            "PropertyValues",
            "convert(path, value, PropertyType::compared);",
            "Values.encode(value, registry);",
            PropertyCodecTest.class,
            "conditions"),
        SourceMutant.of(
            "a value that the codec reads as another",
            "PropertyType",
            "return Values.contains(again, value) ? again : null;",
            "return again;",
            PropertyCodecTest.class,
            "unreadable"),
        SourceMutant.of(
            "a set in another order taken for another form",
            "Values",
            "|| elements(all).equals(elements(given))",
            "|| all == given",
            SetOrderTest.class,
            "given"),
        SourceMutant.of(
            "bytes that an entity shares with what was written of it",
            "Values",
            "super.doWriteBinaryData(copy(value));",
            "super.doWriteBinaryData(value);",
            InPlaceTest.class,
            "pojo"),
        SourceMutant.of(
            "bytes that an entity shares with what it was read from",
            "Values",
            "return copy(super.doReadBinaryData());",
            "return super.doReadBinaryData();",
            InPlaceTest.class,
            "takenBack"),
        SourceMutant.of(
            "a map in another order taken for the same",
            "Values",
            "List.copyOf(one.keySet()).equals(List.copyOf(two.keySet()))",
            "one.keySet().equals(two.keySet())",
            InPlaceTest.class,
            "order"),
        SourceMutant.of(
            "a class's own codec that is not asked",
            "PropertyValues",
            "if ((readsNothing || isOwn) && !isRead(path, value, key)) {",
            "if (path.segments().isEmpty() && !isRead(path, value, key)) {",
            PropertyCodecTest.class,
            "ownClassCodec"),
        SourceMutant.of(
            "a value that the class's own codec does not read",
            "PropertyValues",
            "return !isOwn && path.segments().size() > 1 && !isOfType(e);",
            "return !isOfType(e);",
            OwnClassCodecTest.class,
            "values"),
        SourceMutant.of(
            "a value that cannot be tried",
            "PropertyValues",
            "if (tried || !owner.hasUnmapped()) {",
            "if (tried) {",
            OwnClassCodecTest.class,
            "untried"),
        SourceMutant.of(
            "an entity of an abstract class",
            "Calls",
            "if (change.rules().creates() && context.mapping().values().asksForMore()) {",
            "if (change.operations().isEmpty()) {",
            OwnClassCodecTest.class,
            "abstractClasses"),
        SourceMutant.of(
            "a part that operators make without its primitives",
            "Operators",
            "further.addAll(parts(own));",
            "",
            NativePartsTest.class,
            "inUpdate"),
        SourceMutant.of(
            "a part that operators make in a batch without its primitives",
            "MongoNativeUpdate",
            "all.addAll(other.parts);",
            "",
            NativePartsTest.class,
            "together"),
        SourceMutant.of(
            "a part of a new entity that operators make without its primitives",
            "Properties",
            "for (Path part : requiredParts(led, made)) {",
            "for (Path part : Set.<Path>of()) {",
            NativePartsTest.class,
            "refused"),
        SourceMutant.of(
            "what is set on insert counted for every update",
            "MongoNativeUpdate",
            "always.remove(ON_INSERT);",
            "",
            NativePartsTest.class,
            "onInsert"),
        SourceMutant.of(
            "what is set on insert lost over a tombstone",
            "Operators",
            "live ? own.operators() : own.creating()",
            "own.operators()",
            NativePartsTest.class,
            "onInsertOfTombstone"),
        SourceMutant.of(
            "a primitive that operators take away",
            "MongoNativeUpdate",
            "properties.requireLess(names(field.getKey()));",
            "",
            NativePartsTest.class,
            "refused"),
        SourceMutant.of(
            "events of one document under two keys",
            "Calls",
            "seen.merge(context.mapping().identity(write.key()),",
            "seen.merge(write.key(),",
            SpelledKeysTest.class,
            "forms"),
        SourceMutant.of(
            "one document under two keys in a transaction",
            "MongoTransaction",
            "store.identity(write.key()),",
            "write.key().parts(),",
            SpelledKeysTest.class,
            "inTransaction"),
        SourceMutant.of(
            "a document that is routed elsewhere, taken for the first",
            "Calls",
            "if (!own.isEmpty()) {",
            "if (own.size() > writes.size()) {",
            SpelledKeysTest.class,
            "routed"),
        SourceMutant.of(
            "names of a class that its conventions change",
            "MappedClass",
            "ofPojo(DriverModel.of(codec), arguments)",
            "ofPojo(ClassModel.builder(type).build(), arguments)",
            ConventionsTest.class,
            "names"),
        SourceMutant.of(
            "a key that a model names",
            "MappedClass",
            "ofPojo(DriverModel.of(codec), arguments)",
            "ofPojo(ClassModel.builder(type).build(), arguments)",
            ConventionsTest.class,
            "id"),
        SourceMutant.of(
            "a name that is not the one read by",
            "MappedClass",
            "if (both && !model",
            "if (!both && !model",
            ConventionsTest.class,
            "twoNames"),
        SourceMutant.of(
            "a property's own codec",
            "PropertyType",
            "Codec<?> codec = own == null ? codec(type, arguments, registry) : own;",
            "Codec<?> codec = codec(type, arguments, registry);",
            ConventionsTest.class,
            "codecs"),
        SourceMutant.of(
            "a form that is read, but as another value",
            "PropertyValues",
            "&& (type == null || found == null || Values.contains(type.stored(found), value));",
            ";",
            ConventionsTest.class,
            "providers"),
        SourceMutant.of(
            "strings that the registry stores otherwise",
            "PropertyType",
            "&& text.getRepresentation() == BsonType.STRING;",
            ";",
            ConventionsTest.class,
            "strings"),
        SourceMutant.of(
            "marks under the name in Java",
            "MongoMarksCodec",
            "MappedClass.marks(type, mapper);",
            "\"allMarks\";",
            ConventionsTest.class,
            "marks"),
        SourceMutant.of(
            "a sum that a codec of the user's own does not store",
            "PropertyType",
            "!isDrivers() && !isLinear(amount, stored)",
            "false",
            PropertyCodecTest.class,
            "scaled"),
        SourceMutant.of(
            "a UUID without a representation, in a form of the library's",
            "PropertyType",
            "return Values.encodeBy(value, codec);",
            "return value instanceof UUID id ? new BsonBinary(id) : Values.encodeBy(value, codec);",
            PropertyCodecTest.class,
            "uuids"),
        SourceMutant.of(
            "a part made without what it needs",
            "Properties",
            "requireWhole(part, inside(parent.segments(), given(change)));",
            "requireWhole(part, part.required());",
            ReadBackTest.class,
            "parts"),
        SourceMutant.of(
            "a part left without what it needs",
            "Properties",
            "&& part.required().contains(path.get(path.size() - 1))",
            "&& part.required().isEmpty()",
            ReadBackTest.class,
            "parts"),
        SourceMutant.of(
            "sums of floats without an end",
            "NumberClass",
            "return type == Float.class ? (Number) (double) Float.MAX_VALUE : HIGHEST.get(type);",
            "return HIGHEST.get(type);",
            LargestSumsTest.class,
            "bounds"),
        SourceMutant.of(
            "sums of atomic numbers without an end",
            "NumberClass",
            "AtomicInteger.class, (long) Integer.MAX_VALUE,",
            "AtomicInteger.class, Long.MAX_VALUE,",
            LargestSumsTest.class,
            "bounds"),
        SourceMutant.of(
            "a sum with what is no number, alone",
            "Operations",
            "tests.add(op(\"$gt\", op(\"$ifNull\", stored, NOTHING), LEAST));",
            "",
            OneMeaningTest.class,
            "sums"),
        SourceMutant.of(
            "elements of a set that are equal by their digits",
            "Documents",
            "ReadRule.equal(other, element)",
            "Values.comparable(other).equals(Values.comparable(element))",
            OneMeaningTest.class,
            "sets"),
        SourceMutant.of(
            "maps that a server does not make",
            "Operations",
            "BsonArray.parse(\"['object', 'missing', 'null']\")",
            "BsonArray.parse(\"['object']\")",
            ParentsTest.class,
            "commands"),
        SourceMutant.of(
            "a part of an abstract class without the name of its own",
            "MappedClass",
            "Stream.ofNullable(discriminator)",
            "Stream.<String>empty()",
            ClassesOfPartsTest.class,
            "operators"),
        SourceMutant.of(
            "a sum that its argument's class does not hold",
            "MappedClass",
            "DeclaredTypes.resolved(model.getName(), owner, arguments)",
            "DeclaredTypes.of(data)",
            ClassesOfPartsTest.class,
            "generics"),
        SourceMutant.of(
            "a decimal of the driver's that is no key of its class",
            "NumberClass",
            "return exact.precision() > DIGITS ? null : new Decimal128(exact);",
            "return null;",
            SpelledKeysTest.class,
            "decimals"),
        SourceMutant.of(
            "a null that is taken for a map",
            "Documents",
            "withoutNulls(operation, after)",
            "after",
            ParentsTest.class,
            "nulls"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
