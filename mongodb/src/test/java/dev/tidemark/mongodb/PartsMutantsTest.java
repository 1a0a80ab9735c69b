package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts of records that are taken for the whole: sources with a few words replaced. */
@DisplayName("The tests of what was read in part catch")
final class PartsMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = MongoServers.uri();
  }

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    return SourceMutant.of(name, type, sound, wrong, PartsOfRecordsTest.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a read that is too large since ids are long",
            "Lookups",
            "forms.clear();",
            "",
            BulkTest.class,
            "longIds"),
        mutant(
            "a slot that is missing, and passes for one of every form",
            "Conditions",
            "filter(value, isOther), new BsonArray())",
            "filter(op(\"$ifNull\", value, new BsonArray()), isOther), new BsonArray())",
            "closedSlots"),
        mutant(
            "closed slots of another form, which operators do not see",
            "Filters",
            "op(\"$not\", op(\"$type\", type))); // which",
            "op(\"$not\", op(\"$type\", new BsonString(\"null\")))); // which",
            "closedSlots"),
        SourceMutant.of(
            "numbers of which an expression never knows the kind",
            "Conditions",
            "not(isOf(test.kind(), first))",
            "op(\"$ne\", op(\"$type\", first), new BsonString(type(test.kind())))",
            NativeGuardsTest.class,
            "kinds"),
        mutant(
            "ids of all entities for which each has to have room",
            "Lookups",
            "      int ids = 0;\n      for (Message message : ofOne) {",
            "      int ids = most;\n      for (Message message : ofOne) {",
            "roomOfEach"),
        SourceMutant.of(
            "a read that is too large since keys are long",
            "Lookups",
            "half == 0 ||",
            "true ||",
            BulkTest.class,
            "longKeys"),
        SourceMutant.of(
            "a read that goes on in a transaction which has not begun",
            "Lookups",
            "transport.inSession() || Errors",
            "Errors",
            BulkTest.class,
            "longKeys"),
        new SourceMutant(
            "a new source that nobody counts, since a bulk brings no image",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Requirement.java"),
            "bringsNone ? marking.open().and(marking.sources().known()) : marking.open();",
            "marking.open();",
            NativeGuardsTest.class,
            "sourcesInBatches"),
        SourceMutant.of(
            "a last source of which nobody tells the next writer",
            "Operators",
            "marking.sources().scarceFrom() - 1",
            "marking.sources().scarceFrom()",
            NativeGuardsTest.class,
            "lastSource"),
        mutant(
            "marks of a tombstone written whole",
            "Operators",
            "if (transition.replaces()) {",
            "if (!transition.isOfLive()) {",
            "revived"),
        mutant(
            "a tombstone told of few sources as an entity is",
            "Pipelines",
            "literal(Values.mark(marking.buried())));",
            "literal(Values.mark(marking.token())));",
            "buried"),
        mutant(
            "a tombstone with the revision of an entity, changed by a pipeline",
            "Pipelines",
            "all(List.of(guards.render(required.open()), isLive));",
            "guards.render(required.open());",
            "open"),
        mutant(
            "a tombstone with the revision of an entity, changed by operators",
            "Operators",
            "further.add(new BsonDocument(names.tombstone(), op(\"$exists\", BsonBoolean.FALSE)));",
            "",
            "open"),
        mutant(
            "marks of another subscriber left over an expired tombstone",
            "MarkOperators",
            ".filter(name -> names.owns(name) && !all.containsKey(name))",
            ".filter(name -> name.equals(names.tombstone()))",
            "anew"),
        mutant(
            "a filter that was false taken for the next update's",
            "StoredDocument",
            "!(effect instanceof Effect.Changes<T> changes)) {\n      return null;",
            "!(effect instanceof Effect.Changes<T> changes)) {\n      return entity != null;",
            "filterOfAnother"),
        mutant(
            "an id known in the form of the policy alone",
            "Image",
            "Conditions.ofAnyForm(context, message)",
            "new Conditions(context, List.of(message))",
            "otherForm"),
        mutant(
            "a refusal recorded beside ids of the other form",
            "Image",
            "request.rules().skipsOtherwise() ? inForm : marking.open().or(inForm)",
            "marking.open().or(inForm)",
            "recordedForm"),
        mutant(
            "the time of what waits raised by who has not read",
            "Operators",
            "&& !operation.path().segments().equals(List.of(names.since()))) {",
            "&& operation.path().segments().size() > 1) {",
            "due"),
        mutant(
            "the time of what waits not read",
            "Lookups",
            "marks.append(names.outboxDue(), value(names.outboxDue()));",
            "",
            "due"),
        mutant(
            "the time of what waits taken to stay",
            "MarkOperators",
            "} else if (mark.path().segments().equals(List.of(names.outboxDue()))) {",
            "} else if (mark.path().segments().isEmpty()) {",
            "sentInBetween"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
