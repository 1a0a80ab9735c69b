package dev.tidemark.spring;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Relays of an application that send nothing, unseen: sources with a few words replaced. */
@DisplayName("The tests of relays of an application catch")
final class RelayBeanMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a relay that ends for good by an interrupt of its sender's",
            "RunningRelay",
            "while (!isStoppedWithin(REST))",
            "while (REST.isZero())",
            RelaysTest.class,
            "interrupted"),
        SourceMutant.of(
            "a broker that is slow, and takes the health down",
            "RunningRelay",
            "return silence.sending(found);",
            "return Ongoing.Scope.NONE;",
            RelaysTest.class,
            "brokerSlow"),
        SourceMutant.of(
            "a relay that is not stopped with the context",
            "Relays",
            "running.forEach(RunningRelay::askToStop);",
            "",
            RelaysTest.class,
            "sends"),
        SourceMutant.of(
            "relays of which each is waited for anew",
            "Relays",
            "relay.awaitEnd(until)",
            "relay.awaitEnd(System.nanoTime() + longestEnd.toNanos())",
            RelaysTest.class,
            "endsTogether"),
        SourceMutant.of(
            "a relay that is never forgotten, since a listener of its end throws",
            "Relays",
            """
                          running.remove(relay);
                          told.forEach(listener -> listener.gone(name));
            """,
            """
                          told.forEach(listener -> listener.gone(name));
                          running.remove(relay);
            """,
            SourcedRelaysTest.class,
            "throwing"),
        SourceMutant.of(
            "a relay that is never forgotten, since an Error has ended it",
            "RunningRelay",
            "} finally {\n      ended.complete(true);\n    }",
            "} finally {\n      stopped.getCount();\n    }\n    ended.complete(true);",
            SourcedRelaysTest.class,
            "ended"),
        SourceMutant.of(
            "what follows a relay left out, since the relay is just ending",
            "RunningRelay",
            "var unused = ended.thenRun(() -> tell(behind));",
            "if (!ended.isDone() || !isAlive()) {\n      ended.thenRun(() -> tell(behind));\n    }",
            SourcedRelaysTest.class,
            "ending"),
        SourceMutant.of(
            "a stream that is read for a relay that an Error has ended",
            "RunningRelay",
            "stopped.getCount() > 0 && isAlive()",
            "stopped.getCount() > 0",
            SourcedRelaysTest.class,
            "hintsEnd"),
        SourceMutant.of(
            "two relays of a name that comes again",
            "Relays",
            "if (running.stream().noneMatch(relay -> relay.records().equals(name))) {",
            "if (!named.containsKey(name)) {",
            SourcedRelaysTest.class,
            "namedAgain"),
        SourceMutant.of(
            "a relay that cannot be made, and keeps others from theirs",
            "Relays",
            "catch (RuntimeException e) { // such",
            "catch (UnsupportedOperationException e) { // such",
            SourcedRelaysTest.class,
            "unmade"),
        SourceMutant.of(
            "a relay that is dropped, and not waited for",
            "Relays",
            "        relay.askToStop(\n",
            "        running.remove(relay);\n        relay.askToStop(\n",
            SourcedRelaysTest.class,
            "stop"),
        SourceMutant.of(
            "two tables of one name, of which one has no relay",
            "RelayedRecords",
            "if (other != null && !areSame.test(other, records)) {",
            "if (other != null && records.name().isEmpty()) {",
            RelaysTest.class,
            "twoOfOneName"),
        SourceMutant.of(
            "stored records beside their cluster's, which send what others published",
            "RelayedRecords",
            "return !isClustered;",
            "return true;",
            ClusteredRelaysTest.class,
            "besideCluster"),
        SourceMutant.of(
            "records beside a cluster of one name that may be its own",
            "RelayedRecords",
            "throw otherThanClustered(records.name());",
            "return true;",
            ClusteredRelaysTest.class,
            "besideCluster"),
        SourceMutant.of(
            "a source that names a cluster's stored records",
            "RelayedRecords",
            ": isNameOf(stored, name);",
            ": name.isEmpty();",
            ClusteredRelaysTest.class,
            "sourceBesideCluster"),
        SourceMutant.of(
            "a source that names a cluster beside its stored records",
            "RelayedRecords",
            "? beans.containsKey(name)",
            "? name.isEmpty()",
            ClusteredRelaysTest.class,
            "sourceBesideCluster"),
        SourceMutant.of(
            "a source that throws, and leaves the health up",
            "RelaysHealth",
            "&& isFresh(relays.lastNamed())",
            "",
            RelaysTest.class,
            "sourceThrows"),
        SourceMutant.of(
            "a relay of a cluster that no stream tells anything",
            "RelayedRecords",
            "records instanceof ClusteredRecords of ? of.stored() : records",
            "records",
            ClusteredRelaysTest.class,
            "clusteredStream"),
        SourceMutant.of(
            "clients of a test without the qualifiers of production's",
            "LocalDynamoDb",
            "local.setQualifiedElement(qualified(replaced));",
            "",
            LocalDynamoDbTest.class,
            "several"),
        SourceMutant.of(
            "a table of a test whose messages no relay finds",
            "LocalTables",
            "    indexes.put(DynamoDbOutbox.index(names).indexName(),"
                + " DynamoDbOutbox.index(names));\n",
            "",
            LocalDynamoDbTest.class,
            "publishes"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
