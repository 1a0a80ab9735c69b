package dev.tidemark.example.orderhistory.infra;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the code and the files of {@code infra} agree on, as both read it.
 *
 * @param tables by the names that rights have for them
 * @param records tables of idempotency keys, of an inbox and of outgoing messages, by choice
 * @param processes what runs where
 * @param rights what the code of a process calls, by process and resource
 * @param recordRights what the code calls for one kind of record, by kind and resource
 */
record Contract(
    Map<String, Table> tables,
    Map<String, Table> records,
    Map<String, Program> processes,
    Map<String, Map<String, Set<String>>> rights,
    Map<String, Map<String, Set<String>>> recordRights) {

  /** The queue of events, as rights name it. */
  static final String QUEUE = "queue";

  /** The queue of dead letters, as rights name it. */
  static final String DEAD_LETTERS = "deadLetters";

  /** The queue of changes of statuses, as rights name it. */
  static final String STATUS_QUEUE = "statusQueue";

  /** The queue of those that are dead letters, as rights name it. */
  static final String STATUS_DEAD_LETTERS = "statusDeadLetters";

  private static final Path FILE = Path.of("../infra/contract.json");

  /**
   * A table.
   *
   * @param name without the prefix; without the number if there is one for each generation
   * @param perGeneration whether there is
   * @param key its partition key
   * @param sortKey its sort key, if it has one
   * @param sortKeyType {@code S} or {@code N}
   * @param index its index, if it has one
   * @param outbox its index of outgoing messages, if it may publish
   * @param ttl the attribute with the time of expiry, if any
   * @param stream what its stream has, if it has one
   * @param event the attribute with an event, in the table of events
   */
  record Table(
      String name,
      boolean perGeneration,
      String key,
      @Nullable String sortKey,
      @Nullable String sortKeyType,
      @Nullable Index index,
      @Nullable Index outbox,
      @Nullable String ttl,
      @Nullable String stream,
      @Nullable String event) {

    String name(String prefix, int generation) {
      return prefix + name + (perGeneration ? Integer.toString(generation) : "");
    }
  }

  /**
   * A secondary index.
   *
   * @param name its name
   * @param key its partition key
   * @param keyType {@code N}; a string unless given
   * @param sortKey its sort key
   * @param sortKeyType {@code N}; a string unless given
   * @param projection what it has beside keys
   */
  record Index(
      String name,
      String key,
      @Nullable String keyType,
      String sortKey,
      @Nullable String sortKeyType,
      String projection) {

    /** The types of its key attributes by their names, as a table defines them. */
    Map<String, String> attributes() {
      return Map.of(
          key, keyType == null ? "S" : keyType, sortKey, sortKeyType == null ? "S" : sortKeyType);
    }
  }

  /**
   * What is started.
   *
   * @param handler the class that Lambda calls, if it is a function
   * @param main the class that is run, if it is a task
   * @param environment the settings that it is given
   * @param relayed those that it is given besides where there is a relay; null if none
   * @param boarded those that it is given besides where there is a board; null if none
   */
  record Program(
      @Nullable String handler,
      @Nullable String main,
      List<String> environment,
      @Nullable List<String> relayed,
      @Nullable List<String> boarded) {

    /** All that it may be given. */
    List<String> settings() {
      return Stream.of(
              Stream.of(environment), Stream.ofNullable(relayed), Stream.ofNullable(boarded))
          .flatMap(lists -> lists.flatMap(List::stream))
          .toList();
    }
  }

  Table table(String name) {
    return Objects.requireNonNull(tables.get(name), name);
  }

  Program program(String process) {
    return Objects.requireNonNull(processes.get(process), process);
  }

  /** In the order of {@link Calls#made}. */
  Map<String, Set<String>> rights(String process) {
    return new TreeMap<>(Objects.requireNonNull(rights.get(process), process));
  }

  static Contract read() {
    try {
      return new JsonMapper().readValue(FILE.toFile(), Contract.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
