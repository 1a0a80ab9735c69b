package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.servers.MongoProcess;
import dev.tidemark.servers.MongoProgram;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * The server that tests run against, found once: {@code -Dtidemark.mongodb=} testcontainers,
 * process, or a URI.
 */
final class MongoServers {
  private static final String CHOICE = "tidemark.mongodb";
  private static final String IMAGE = "mongo:8.0";
  private static final Duration IMAGE_PATIENCE = Duration.ofMinutes(1);

  /** Found at the first use; tests of mutants load this class again, and use the same server. */
  private static final class Found {
    private static final String URI = find();

    static {
      System.setProperty(CHOICE, URI);
    }
  }

  private MongoServers() {}

  /** What reaches the server of the configuration directly. */
  static String uri() {
    return Found.URI;
  }

  private static String find() {
    String wanted = System.getProperty(CHOICE, "");
    if (wanted.startsWith("mongodb:") || wanted.startsWith("mongodb+srv:")) {
      return chosen(wanted, "a URI", "tidemark.mongodb names it");
    }
    return switch (wanted) {
      case "process" -> startProcess("asked for");
      case "testcontainers" ->
          chosen(startContainer(), "Testcontainers with " + image(), "tidemark.mongodb says so");
      case "" -> byDefault();
      default -> throw new IllegalArgumentException("tidemark.mongodb must not be " + wanted);
    };
  }

  private static String byDefault() {
    String named = System.getenv("MONGOD");
    if (named != null && !named.isEmpty()) {
      return startProcess("MONGOD is set");
    }
    String why;
    try {
      String uri =
          CompletableFuture.supplyAsync(MongoServers::startContainer, MongoServers::aside)
              .get(IMAGE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      return chosen(uri, "Testcontainers with " + image(), "Docker answers");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      why = "no container: " + firstLine(e.getCause());
    } catch (TimeoutException e) {
      why = "no container within " + IMAGE_PATIENCE;
    }
    return startProcess(why);
  }

  /** A thread of its own: an engine that pulls for ever must not hold up the pool of all. */
  private static void aside(Runnable task) {
    Thread thread = new Thread(task, "starts a container");
    thread.setDaemon(true);
    thread.start();
  }

  private static String firstLine(@Nullable Throwable e) {
    return String.valueOf(e == null ? null : e.getMessage()).lines().findFirst().orElse("");
  }

  private static String chosen(String uri, String what, String why) {
    System.out.println("tidemark.mongodb: " + what + " (" + why + ")");
    return uri;
  }

  private static String image() {
    return System.getProperty("tidemark.mongodb.image", IMAGE);
  }

  private static String startContainer() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new IllegalStateException("Docker does not answer");
    }
    // One node, initiated by its own address; the client connects to the mapped port directly.
    @SuppressWarnings("resource") // lives as long as the JVM
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse(image()))
            .withExposedPorts(27017)
            .withCommand("--replSet", "rs0", "--setParameter", "enableTestCommands=1")
            .waitingFor(Wait.forLogMessage("(?i).*waiting for connections.*", 1));
    container.start();
    Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
    String uri =
        "mongodb://"
            + container.getHost()
            + ":"
            + container.getMappedPort(27017)
            + "/?directConnection=true";
    try (MongoClient client = MongoClients.create(uri)) {
      MongoProcess.initiate(client, null);
      MongoProcess.awaitPrimary(client);
    }
    return uri;
  }

  private static String startProcess(String why) {
    @SuppressWarnings("resource") // stopped when the JVM ends
    MongoProcess process = MongoProcess.start(1);
    return chosen(process.direct(0), "a mongod process", why);
  }

  /** Servers of a test's own, of a program of this machine: no container does all that they do. */
  static MongoProcess start(int nodes, String... options) {
    Optional<String> missing = MongoProgram.missing();
    assumeTrue(
        missing.isEmpty(), "missing capability: a server of one's own: " + missing.orElse(""));
    return MongoProcess.start(nodes, options);
  }
}
