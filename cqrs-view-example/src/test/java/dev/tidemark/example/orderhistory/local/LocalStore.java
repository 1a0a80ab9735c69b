package dev.tidemark.example.orderhistory.local;

import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.store.DynamoDbGenerations;
import dev.tidemark.example.orderhistory.store.MongoGenerations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;

/** The two stores on this machine, one of each for all tests of a JVM, started when asked for. */
public enum LocalStore {
  DYNAMODB {
    @Override
    public Generations fresh() {
      return new DynamoDbGenerations(
          DynamoDb.SERVER.client(), "t" + NEXT.incrementAndGet() + "-", null, Clock.systemUTC());
    }
  },
  MONGODB {
    @Override
    public Generations fresh() {
      return new MongoGenerations(
          MongoClients.create(Mongo.SERVER.uri()),
          "t" + NEXT.incrementAndGet(),
          null,
          Clock.systemUTC());
    }
  };

  private static final AtomicInteger NEXT = new AtomicInteger();

  /** Views that nobody else has; their tables are not made yet. */
  public abstract Generations fresh();

  /** The same, with the tables of generation 1. */
  public Generations prepared() {
    Generations generations = fresh();
    generations.prepare(1);
    return generations;
  }

  private static final class DynamoDb {
    static final LocalDynamoDb SERVER = new LocalDynamoDb();
  }

  private static final class Mongo {
    static final LocalMongo SERVER = start();

    private static LocalMongo start() {
      try {
        LocalMongo server = LocalMongo.start(Files.createTempDirectory("tidemark-mongod"));
        System.out.println("tidemark.mongodb: " + server.origin());
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
