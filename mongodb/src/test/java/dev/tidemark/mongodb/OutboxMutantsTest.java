package dev.tidemark.mongodb;

import dev.tidemark.mutants.SourceMutant;
import dev.tidemark.tck.Backend;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Outboxes that are wrong in one way each: sources with a few words replaced. */
@DisplayName("The contracts of outgoing messages catch")
final class OutboxMutantsTest {
  /** Starts the server that the mutants' tests find. */
  @BeforeAll
  static void start() {
    var unused = MongoServers.uri();
  }

  /** Contracts of the kit on this store, for {@link SourceMutant} to make. */
  static final class Contracts {
    void released() throws Throwable {
      run("OutboxShardsContract", "released");
    }

    void beside() throws Throwable {
      run("OutboxShardsContract", "beside");
    }

    void relayedNulls() throws Throwable {
      run("OutboxNullsContract", "relayed");
    }

    void publishedNulls() throws Throwable {
      run("OutboxNullsContract", "published");
    }

    void triesKept() throws Throwable {
      run("OutboxRacesContract", "triesKept");
    }

    void triesOfAnother() throws Throwable {
      run("OutboxRacesContract", "triesOfAnother");
    }

    private static void run(String contract, String test) throws Throwable {
      Class<?> type = Class.forName("dev.tidemark.tck.contract." + contract);
      Constructor<?> constructor = type.getDeclaredConstructor(Backend.class);
      constructor.setAccessible(true);
      Method method = type.getDeclaredMethod(test);
      method.setAccessible(true);
      try (Backend backend = new MongoBackend.Factory().open()) {
        method.invoke(constructor.newInstance(backend));
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  private static SourceMutant mutant(
      String name, String type, String sound, String wrong, String test) {
    return SourceMutant.of(name, type, sound, wrong, Contracts.class, test);
  }

  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a wrong argument that ends a handler's transaction",
            "TransactionMessages",
            "= outbox.publishing(scope.session(), message, clusters);",
            "= () -> outbox.publishing(scope.session(), message, clusters).run();",
            TransactionMessagesTest.class,
            "notTaken"),
        mutant(
            "a released message in a shard that no relay looks at",
            "OutboxFields",
            "Outbox.shard(number(document, shard()), shards)",
            "Outbox.shard(number(document, shard()), 256)",
            "released"),
        mutant(
            "a message that is pushed to a null",
            "OutboxStatement",
            "!added.isEmpty() && key.image().isNull(field)",
            "false",
            "relayedNulls"),
        mutant(
            "a null that is to tell whether a document is there for its messages alone",
            "OutboxKey",
            "BsonBoolean.TRUE.equals(image.get(field))",
            "image.getBoolean(field, BsonBoolean.FALSE).getValue()",
            "publishedNulls"),
        mutant(
            "a try counted against another message",
            "OutboxStatement",
            "begins(field, before.subList(0, before.indexOf(left.get(0)) + 1));",
            "test(field + \".0\", op(\"$exists\", new BsonInt32(1)));",
            "triesOfAnother"),
        mutant(
            "a try counted against another message where a change is made again",
            "OutboxWrites",
            "        && first(meant).equals(first(left))\n",
            "",
            "triesOfAnother"),
        mutant(
            "tries of what came since forgotten by a release",
            "OutboxStatement",
            "if (before.isEmpty()) {\n      test(field, BsonNull.VALUE);",
            "if (before.isEmpty()) {",
            "triesKept"),
        SourceMutant.of(
            "a field of another type that keeps a whole pass from being taken off",
            "OutboxKey",
            "BsonBoolean.TRUE.equals(image.get(field))",
            "image.getBoolean(field, BsonBoolean.FALSE).getValue()",
            MongoOutboxTest.class,
            "otherOwn"),
        SourceMutant.of(
            "messages kept in memory with the key of their document",
            "MongoOutbox",
            "own.bare()",
            "own",
            MongoOutboxTest.class,
            "bare"),
        SourceMutant.of(
            "a document without room told as a change of which nobody knows",
            "OutboxWrites",
            "Errors.kind(one) == Errors.Kind.TOO_LARGE ? noRoom(one) : one",
            "one",
            MongoOutboxTest.class,
            "full"),
        SourceMutant.of(
            "a transaction whose messages no cluster sends",
            "TransactionMessages",
            "message, clusters)",
            "message, List.of())",
            TransactionMessagesTest.class,
            "clusters"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
