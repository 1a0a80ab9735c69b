package dev.tidemark.example.orderhistory.store;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.settings.Settings;
import java.time.Clock;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A command that makes what MongoDB's collections need before anything is written: the indexes of
 * the generation that serves, of the board and of executions. Doing it again changes nothing. It
 * needs a user that may create indexes, which the service's own need not. The tables of DynamoDB
 * are made by {@code infra}.
 */
public final class Prepare {
  private Prepare() {}

  /**
   * Prepares the database that the environment names.
   *
   * @param args none
   */
  public static void main(String... args) {
    run(Settings.of(System.getenv()));
  }

  static void run(Settings settings) {
    if (!settings.store().equals("mongodb")) {
      throw new IllegalArgumentException("STORE must be mongodb, was " + settings.store());
    }
    try (Generations generations =
        StoredGenerations.open(settings, null, Clock.systemUTC(), DynamoDbClient::create)) {
      generations.prepare(generations.serving());
      generations.prepareBoard();
      generations.prepareExecutions();
    }
  }
}
