package dev.tidemark.example.orderhistory.local;

import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.store.DynamoDbGenerations;
import dev.tidemark.example.orderhistory.store.MongoGenerations;
import dev.tidemark.servers.MongoProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;

/** The two stores on this machine, one of each for all tests of a JVM, started when asked for. */
public enum LocalStore {
  DYNAMODB {
    @Override
    public Generations open(String name, Clock clock, boolean announces) {
      return new DynamoDbGenerations(dynamoDb().client(), name + "-", null, clock, announces);
    }
  },
  MONGODB {
    @Override
    public Generations open(String name, Clock clock, boolean announces) {
      return new MongoGenerations(MongoClients.create(mongo().uri()), name, null, clock, announces);
    }
  };

  private static final AtomicInteger NEXT = new AtomicInteger();

  /** The views of a deployment, as one of its processes sees them; rows may publish. */
  public abstract Generations open(String name, Clock clock, boolean announces);

  /** The views of a deployment whose rows publish nothing. */
  public Generations open(String name, Clock clock) {
    return open(name, clock, false);
  }

  /** A name that no other deployment has. */
  public static String freshName() {
    return "t" + NEXT.incrementAndGet();
  }

  /** Views that nobody else has; their tables are not made yet. */
  public Generations fresh() {
    return open(freshName(), Clock.systemUTC());
  }

  /** The same, with the tables of generation 1. */
  public Generations prepared() {
    Generations generations = fresh();
    generations.prepare(1);
    return generations;
  }

  /** The DynamoDB of the tests. */
  public static LocalDynamoDb dynamoDb() {
    return DynamoDb.SERVER;
  }

  /** The MongoDB of the tests. */
  public static MongoProcess mongo() {
    return Mongo.SERVER;
  }

  private static final class DynamoDb {
    static final LocalDynamoDb SERVER = new LocalDynamoDb();
  }

  private static final class Mongo {
    static final MongoProcess SERVER = start();

    private static MongoProcess start() {
      try {
        Path folder = Files.createTempDirectory("tidemark-mongod");
        MongoProcess server = MongoProcess.start(folder, 1);
        System.out.println("tidemark.mongodb: " + server.origin());
        Folders.deleteAtEnd(server, folder);
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
