package dev.tidemark.spring;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * The stores of the tests, one of each for a JVM: DynamoDB Local in this process, and the {@code
 * mongod} that {@code MONGOD} names; without it an embedded MongoDB, which has no transactions.
 */
public final class Servers {
  private static final AtomicInteger NEXT = new AtomicInteger();

  /** Tests of mutants load this class again, and use the same servers. */
  private static final String LOADED = Long.toString(System.nanoTime(), Character.MAX_RADIX);

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

  static boolean mongoHasTransactions() {
    return Mongo.PROGRAM != null;
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
    static final @Nullable String PROGRAM = System.getenv("MONGOD");

    /** One for a JVM, though tests of mutants load this class again. */
    static final String URI =
        System.getProperties()
            .computeIfAbsent(
                "tidemark.spring.mongodb",
                name -> PROGRAM == null ? embedded() : replicaSet(PROGRAM))
            .toString();

    static final MongoClient CLIENT = MongoClients.create(URI);

    private static String embedded() {
      return new MongoServer(new MemoryBackend()).bindAndGetConnectionString();
    }

    /** Leaves nothing of a server behind. */
    private static void end(Process server, Path folder) {
      var unused = server.destroyForcibly().onExit().join();
      try {
        var unusedDeleted = FileSystemUtils.deleteRecursively(folder);
      } catch (IOException e) {
        System.err.println(folder + " is left: " + e);
      }
    }

    private static String replicaSet(String program) {
      String address = "127.0.0.1:" + freePort();
      try {
        Path folder = Files.createTempDirectory("tidemark-mongod");
        Process server =
            new ProcessBuilder(
                    program,
                    "--dbpath=" + folder,
                    "--bind_ip=127.0.0.1",
                    "--port=" + address.substring(address.indexOf(':') + 1),
                    "--replSet=spring",
                    "--wiredTigerCacheSizeGB=0.25")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, folder)));
      } catch (IOException e) {
        throw new IllegalStateException(program + " does not start", e);
      }
      try (MongoClient client =
          MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
        Document member = new Document("_id", 0).append("host", address);
        Document set =
            new Document("_id", "spring")
                .append("members", List.of(member))
                .append("writeConcernMajorityJournalDefault", false); // no write waits for the disk
        var unused = client.getDatabase("admin").runCommand(new Document("replSetInitiate", set));
        Awaitility.await()
            .pollInSameThread() // another one would wait for this class
            .until(
                () ->
                    client
                        .getDatabase("admin")
                        .runCommand(new Document("hello", 1))
                        .getBoolean("isWritablePrimary"));
      }
      return "mongodb://" + address + "/?replicaSet=spring";
    }
  }
}
