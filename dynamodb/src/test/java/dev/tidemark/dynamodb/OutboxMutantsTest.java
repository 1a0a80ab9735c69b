package dev.tidemark.dynamodb;

import dev.tidemark.mutants.SourceMutant;
import dev.tidemark.tck.Backend;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Outboxes that are wrong in one way each: sources with a few words replaced. */
@DisplayName("The contracts of outgoing messages catch")
final class OutboxMutantsTest {
  /** Contracts of the kit on this store, for {@link SourceMutant} to make. */
  static final class Contracts {
    void released() throws Throwable {
      run("OutboxShardsContract", "released");
    }

    void beside() throws Throwable {
      run("OutboxShardsContract", "beside");
    }

    void nulls() throws Throwable {
      run("OutboxNullsContract", "relayed");
    }

    void sentSince() throws Throwable {
      run("CacheContract", "sentSince");
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
      try (Backend backend = new DynamoDbBackend.Factory().open()) {
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
            "no hint of a writer's whose clock is a little ahead",
            "OutboxItems",
            "due > now && due != storedAt(item)",
            "due > now",
            DynamoDbOutboxStreamTest.class,
            "ahead"),
        SourceMutant.of(
            "a hint of what a relay has put off itself",
            "OutboxItems",
            "due > now && due != storedAt(item)",
            "false",
            DynamoDbOutboxStreamTest.class,
            "ahead"),
        mutant(
            "a released message in a shard that no relay looks at",
            "OutboxStatements",
            "Outbox.shard(key.shard(), items.shards())",
            "key.shard()",
            "released"),
        mutant(
            "what waits left in a shard that no relay looks at",
            "OutboxStatements",
            " || shard != key.shard()",
            "",
            "beside"),
        SourceMutant.of(
            "a record of another shard than the one that was asked for",
            "OutboxReads",
            "one.shard() == known && ",
            "",
            DynamoDbOutboxTest.class,
            "laggingIndex"),
        mutant(
            "a NULL that is no list of messages",
            "OutboxItems",
            "value == null || value.type() == AttributeValue.Type.NUL",
            "value == null",
            "nulls"),
        mutant(
            "a NULL that refuses what is done with messages",
            "OutboxStatements",
            " OR attribute_type(\" + path + \", 'NULL')",
            "",
            "nulls"),
        mutant(
            "a try counted against another message",
            "OutboxStatements",
            "named |= !leaving.contains(i);",
            "named = true;",
            "triesOfAnother"),
        SourceMutant.of(
            "tries of messages that are gone counted against the first that is left",
            "OutboxStatements",
            "takesFirst ? 0 : before.tries()",
            "before.tries()",
            DynamoDbOutboxTest.class,
            "triesOfTaken"),
        new SourceMutant(
            "an answer from a cache that takes for full what a relay has emptied",
            Path.of("../api/src/main/java/dev/tidemark/kernel/Gatherer.java"),
            "over == null || over.hasFault()",
            "over == null",
            Contracts.class,
            "sentSince"),
        SourceMutant.of(
            "a record without room told as a change that is not taken",
            "Faults",
            "OF_ITEM.matcher(String.valueOf(error.message())).find()",
            "error.message() == null",
            DynamoDbOutboxFaultsTest.class,
            "full"),
        SourceMutant.of(
            "what a later version knows of a message lost as it is parked",
            "OutboxItems",
            "AttributeValue known = key.stored(message.id());",
            "AttributeValue known = key.stored(\"\");",
            DynamoDbOutboxTest.class,
            "later"),
        SourceMutant.of(
            "messages kept in memory with the key of their record",
            "DynamoDbOutbox",
            "items.key(own.attributes())",
            "own",
            DynamoDbOutboxTest.class,
            "bare"),
        SourceMutant.of(
            "a full item that keeps quiet about parked messages",
            "Runner",
            "has(item, writes.mapping().names().outboxParked())",
            "false",
            FullItemTest.class,
            "parked"),
        SourceMutant.of(
            "a transaction whose messages no cluster sends",
            "TransactionWrites",
            "outbox.put(message, clusters)",
            "outbox.put(message, List.of())",
            TransactionMessagesTest.class,
            "clusters"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
