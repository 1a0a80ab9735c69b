package dev.tidemark.spring;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Beans that lose half of a transaction, or answer for others: sources with a few words replaced.
 */
@DisplayName("The tests of the module for Spring Boot catch")
final class SpringMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "writes beside a transaction",
            "SpringTransactions",
            "return joined().map(Joined::session);",
            "return Optional.empty();",
            TransactionsTest.class,
            "rollsBack"),
        SourceMutant.of(
            "writes in whichever transaction there is, of whatever client",
            "SpringTransactions",
            "return joined.session().getOriginator() == client.getIfUnique();",
            "return true;",
            TransactionsTest.class,
            "several"),
        SourceMutant.of(
            "a commit beside a refusal",
            "SpringTransactions",
            ".ifPresent(SpringTransactions::refuse);",
            ".isPresent();",
            TransactionsTest.class,
            "refused"),
        SourceMutant.of(
            "a commit of another manager beside a refusal",
            "SpringTransactions",
            "TransactionSynchronizationManager.registerSynchronization(new Refusal());",
            "",
            TransactionsTest.class,
            "otherManager"),
        SourceMutant.of(
            "a commit of another manager after an exception that it does not roll back for",
            "SpringTransactions",
            "      throw refused();\n    }\n  }\n\n  /**\n   * Asks once",
            "      throw new org.springframework.transaction.UnexpectedRollbackException(\"\");\n"
                + "    }\n  }\n\n  /**\n   * Asks once",
            TransactionsTest.class,
            "otherManager"),
        SourceMutant.of(
            "a commit beside a refusal that a callback of the commit has met",
            "SpringTransactions",
            "manager.addListener(this);",
            "manager.hashCode();",
            TransactionsTest.class,
            "refusedAtCommit"),
        SourceMutant.of(
            "a reactive application without the filter that it asks for",
            "TidemarkServletAutoConfiguration",
            "ConditionalOnWebApplication.Type.REACTIVE",
            "ConditionalOnWebApplication.Type.SERVLET",
            FilterBeansTest.class,
            "reactive"),
        SourceMutant.of(
            "keys that all clients share unasked",
            "TidemarkServletAutoConfiguration",
            "if (settings.sharedKeys()) {",
            "if (settings.enabled()) {",
            FilterBeansTest.class,
            "principals"),
        new SourceMutant(
            "an error page in place of 503",
            source("servlet", "servlet.Exchange"),
            ": StoreFaults.anyOutage(error)",
            ": false",
            FilterBeansTest.class,
            "away"),
        SourceMutant.of(
            "an asynchronous controller that acts before it is refused",
            "TidemarkFiltersAutoConfiguration",
            "new SynchronousControllers(adapters)",
            "new org.springframework.web.servlet.HandlerInterceptor() {}",
            AsynchronousControllersTest.class,
            "refused"),
        SourceMutant.of(
            "a filter and executions of one scope",
            "FilterScopes",
            ".filter(other -> scopes.getOrDefault(other.scope(), other) != other)",
            ".filter(other -> other.scope().isEmpty())",
            FilterBeansTest.class,
            "scopes"),
        SourceMutant.of(
            "a table's property that names no class and has no effect",
            "TrackedStores",
            "choice.requireNames();",
            "",
            StoresTest.class,
            "misnamed"),
        SourceMutant.of(
            "a test's table that is made for each class in it",
            "LocalTables",
            "if (tables.contains(table)) {",
            "if (tables.isEmpty() && tables.contains(table)) {",
            LocalDynamoDbTest.class,
            "single"),
        SourceMutant.of(
            "a filter that sees no request",
            "FilterScopes",
            "UrlPatterns.require(registration.getUrlPatterns());",
            "",
            FilterBeansTest.class,
            "otherPatterns"),
        SourceMutant.of(
            "executions of a request that are made without one",
            "FilterScopes",
            "UNFILTERED, false",
            "UNFILTERED, true",
            FilterBeansTest.class,
            "executionsOfOthers"),
        SourceMutant.of(
            "two applications of one scope",
            "TidemarkServletAutoConfiguration",
            "\"http-\" + name",
            "\"http\"",
            FilterBeansTest.class,
            "applications"),
        SourceMutant.of(
            "two filters of one scope",
            "FilterScopes",
            "if (scopes.put(own.scope(), own) != null) {",
            "if (scopes.put(own.scope(), own) != null && scopes.isEmpty()) {",
            FilterBeansTest.class,
            "ownScopes"),
        SourceMutant.of(
            "records of a property that a bean for something else replaces",
            "TidemarkRecordsAutoConfiguration",
            "@ConditionalOnMissingBean(name = EXECUTIONS)",
            "@ConditionalOnMissingBean(RecordStore.class)",
            RecordsTest.class,
            "besideOthers"),
        SourceMutant.of(
            "a scope of a property that another one replaces",
            "TidemarkRecordsAutoConfiguration",
            "@ConditionalOnMissingBean(name = SCOPED)",
            "@ConditionalOnMissingBean(Executions.class)",
            RecordsTest.class,
            "besideOthers"),
        SourceMutant.of(
            "a subscriber of a property that another one replaces",
            "TidemarkRecordsAutoConfiguration",
            "@ConditionalOnMissingBean(name = MONGODB_INBOX)",
            "@ConditionalOnMissingBean(MongoInbox.class)",
            RecordsTest.class,
            "besideOthers"),
        SourceMutant.of(
            "a subscriber on DynamoDB of a property that another one replaces",
            "TidemarkRecordsAutoConfiguration",
            "@ConditionalOnMissingBean(name = DYNAMODB_INBOX)",
            "@ConditionalOnMissingBean(DynamoDbInbox.class)",
            RecordsTest.class,
            "besideOthers"),
        SourceMutant.of(
            "a table of a property that a store of another one replaces",
            "TrackedStores",
            "choice.isAsked(type) ? !own.contains(simpleName(type)) : own.isEmpty()",
            "own.isEmpty()",
            StoresTest.class,
            "ownBeside"),
        SourceMutant.of(
            "an abstract class without the store that it asks for",
            "TrackedPackages",
            "return found.getMetadata().isIndependent() &&",
            "return found.getMetadata().isConcrete() &&",
            StoresTest.class,
            "roots"),
        SourceMutant.of(
            "a subclass that is asked for a table of its own",
            "StoreChoice",
            "MergedAnnotations.from(type).isPresent(Tracked.class)",
            "type.isAnnotationPresent(Tracked.class)",
            StoresTest.class,
            "roots"),
        SourceMutant.of(
            "requests that no filter protects, since there is one for others",
            "TidemarkServletAutoConfiguration",
            "if (!settings.urlPatterns().isEmpty()) {",
            "if (settings.urlPatterns() == null) {",
            FilterBeansTest.class,
            "ownFilter"),
        SourceMutant.of(
            "a tenant that has no effect, since the filter is the application's own",
            "TidemarkServletAutoConfiguration",
            "if (!customizers.isEmpty()) {",
            "if (customizers == null) {",
            FilterBeansTest.class,
            "ownFilter"),
        SourceMutant.of(
            "requests that no filter protects, since the application's own has the name of theirs",
            "TidemarkServletAutoConfiguration",
            "names(beans, ResolvableType.forClass(Registration.class)).findAny().isPresent()",
            "beans.containsBean(FILTER)",
            FilterBeansTest.class,
            "nameOfItsOwn"),
        SourceMutant.of(
            "an application of Spring Boot 3 with half of its beans",
            "BootVersion",
            "Integer.parseInt(major) < LEAST",
            "Integer.parseInt(major) < 0",
            BootVersionTest.class,
            "required"),
        SourceMutant.of(
            "a filter of all requests",
            "TidemarkServletAutoConfiguration",
            "if (settings.urlPatterns().isEmpty()) {",
            "if (settings.urlPatterns().contains(\"\")) {",
            FilterBeansTest.class,
            "patterns"),
        beside("an execution", "api", "execution.Runs", "an execution", "execution"),
        new SourceMutant(
            "what an operator does beside an open transaction",
            source("api", "execution.Executions"),
            "OpenTransactions.requireNone(what)",
            "Thread.onSpinWait()",
            OpenTransactionsTest.class,
            "everyCall"),
        beside("a flow", "api", "execution.Flow", "a flow", "everyCall"),
        beside("a step", "api", "execution.Owner", "step '\" + step + \"'", "step"),
        beside("work", "api", "execution.Owner", "the end of an execution", "workLeavesItOpen"),
        new SourceMutant(
            "a lost key that an open transaction hides",
            source("api", "execution.Runs"),
            "    try {\n      owner.requireTransactionsEnded();\n",
            "    owner.requireTransactionsEnded();\n    try {\n",
            OpenTransactionsTest.class,
            "lostWithItOpen"),
        beside("an inbox", "mongodb", "mongodb.MongoInbox", "a handler of the inbox", "inbox"),
        beside(
            "an inbox",
            "dynamodb",
            "dynamodb.DynamoDbInbox",
            "a handler of the inbox",
            "inboxOfDynamoDb"),
        beside(
            "tracked writes",
            "mongodb",
            "mongodb.MongoTransaction",
            "a MongoTransaction",
            "trackedWrites"),
        new SourceMutant(
            "a step that is done while its transaction is open",
            source("api", "execution.Owner"),
            "    requireNoTransaction(name);\n    return done(",
            "    return done(",
            OpenTransactionsTest.class,
            "stepLeavesItOpen"),
        carried("an intake of SQS", "intake.Intake", "an intake", "sqs"),
        carried("an intake of Kafka", "intake.Intake", "an intake", "kafka"),
        carried("a redrive", "intake.Intake", "an intake", "redrive"),
        carried("a relay", "outbox.Relay", "a relay", "relay"),
        carried("what is parked", "outbox.ParkedMessages", "a change of parked messages", "parked"),
        new SourceMutant(
            "work in a transaction of Kafka",
            source("api", "transaction.OpenTransactions"),
            "isHeld(isSynchronized)",
            "false",
            OpenTransactionsTest.class,
            "ofKafka"),
        new SourceMutant(
            "work in a transaction of Kafka beside the scope of another manager",
            source("api", "transaction.OpenTransactions"),
            "isHeld(isSynchronized)",
            "!isSynchronized && isHeld(false)",
            OpenTransactionsTest.class,
            "besideScopes"),
        new SourceMutant(
            "a refusal after the commit",
            source("api", "transaction.OpenTransactions"),
            "isActual ? isSynchronized :",
            "isActual ? true :",
            OpenTransactionsTest.class,
            "listeners"));
  }

  private static Path source(String module, String type) {
    return Path.of("..", module, "src/main/java/dev/tidemark", type.replace('.', '/') + ".java");
  }

  /** What says that it is done beside an open transaction. */
  private static SourceMutant beside(
      String name, String module, String type, String what, String test) {
    return beside(name, module, type, what, OpenTransactionsTest.class, test);
  }

  private static SourceMutant carried(String name, String type, String what, String test) {
    return beside(name, "api", type, what, CarriersInTransactionsTest.class, test);
  }

  private static SourceMutant beside(
      String name, String module, String type, String what, Class<?> tests, String test) {
    return new SourceMutant(
        name + " beside an open transaction",
        source(module, type),
        "OpenTransactions.requireNone(\"" + what + "\")",
        "Thread.onSpinWait()",
        tests,
        test);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
