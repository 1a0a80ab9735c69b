package dev.tidemark.spring;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.servers.MongoProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * The stores of the tests, one of each for a JVM: DynamoDB Local in this process, and MongoDB as a
 * replica set of one.
 */
public final class Servers {
  private static final AtomicInteger NEXT = new AtomicInteger();

  /** Tests of mutants load this class again, and use the same servers. */
  private static final String LOADED = Long.toString(System.nanoTime(), Character.MAX_RADIX);

  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(30)); // of busy machines
  }

  private Servers() {}

  /** A name that nothing else has. */
  static String fresh(String name) {
    return name + NEXT.incrementAndGet() + "-" + LOADED;
  }

  public static DynamoDbClient dynamoDb() {
    return DynamoDb.CLIENT;
  }

  static DynamoDbStreamsClient streams() {
    return DynamoDbStreamsClient.builder()
        .endpointOverride(
            DynamoDb.CLIENT.serviceClientConfiguration().endpointOverride().orElseThrow())
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(DynamoDb.CREDENTIALS)
        .build();
  }

  /** Where MongoDB is, without a database. */
  public static String mongoUri() {
    return Mongo.URI;
  }

  static MongoClient mongo() {
    return Mongo.CLIENT;
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException("no free port", e);
    }
  }

  private static final class DynamoDb {
    static final StaticCredentialsProvider CREDENTIALS =
        StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"));
    static final DynamoDbClient CLIENT = start();

    private static DynamoDbClient start() {
      return DynamoDbClient.builder()
          .endpointOverride(URI.create("http://127.0.0.1:" + startedOn()))
          .region(Region.EU_CENTRAL_1)
          .credentialsProvider(CREDENTIALS)
          .build();
    }

    /** Another process may take the port that was free: then the next one is tried. */
    private static String startedOn() {
      Exception last = null;
      for (int tries = 0; tries < 10; tries++) {
        try {
          String port = String.valueOf(freePort());
          ServerRunner.createServerFromCommandLineArgs(
                  new String[] {"-inMemory", "-sharedDb", "-port", port})
              .start();
          return port;
        } catch (Exception e) {
          last = e;
        }
      }
      throw new IllegalStateException("DynamoDB Local does not start", last);
    }
  }

  private static final class Mongo {
    /** One for a JVM, though tests of mutants load this class again. */
    static final String URI =
        System.getProperties()
            .computeIfAbsent("tidemark.spring.mongodb", name -> MongoProcess.start(1).uri())
            .toString();

    static final MongoClient CLIENT = MongoClients.create(URI);
  }
}
