package dev.tidemark.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.File;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * The server that tests run against, found once: {@code -Dtidemark.mongodb=} embedded,
 * testcontainers, process, or a URI.
 */
final class MongoServers {
  private static final String CHOICE = "tidemark.mongodb";
  private static final String IMAGE = "mongo:8.0";
  private static final Duration IMAGE_PATIENCE = Duration.ofMinutes(1);

  /**
   * A server.
   *
   * @param uri reaches it directly
   * @param embedded whether it is one in this JVM, without pipelines and sessions
   */
  record Server(String uri, boolean embedded) {}

  /** Found at the first use. */
  private static final class Found {
    private static final Server SERVER = shared(find());
  }

  private static final class Embedded {
    private static final Server SERVER = startEmbedded();
  }

  private MongoServers() {}

  /** Tests of mutants load this class again, and use the same server. */
  private static Server shared(Server server) {
    System.setProperty(CHOICE, server.embedded() ? "embedded" : server.uri());
    return server;
  }

  /** The server of the configuration. */
  static Server server() {
    return Found.SERVER;
  }

  /** A server in this JVM. */
  static Server embedded() {
    return Embedded.SERVER;
  }

  private static Server find() {
    String wanted = System.getProperty(CHOICE, "");
    if (wanted.startsWith("mongodb:") || wanted.startsWith("mongodb+srv:")) {
      return chosen(new Server(wanted, false), "a URI", "tidemark.mongodb names it");
    }
    return switch (wanted) {
      case "embedded" -> chosen(embedded(), "mongo-java-server", "tidemark.mongodb=embedded");
      case "process" -> startProcess(mongod().orElseThrow(MongoServers::noMongod), "asked for");
      case "testcontainers" ->
          chosen(startContainer(), "Testcontainers with " + image(), "tidemark.mongodb says so");
      case "" -> byDefault();
      default -> throw new IllegalArgumentException("tidemark.mongodb must not be " + wanted);
    };
  }

  private static IllegalStateException noMongod() {
    return new IllegalStateException("no mongod: set MONGOD, or PATH; dev/mongod gets one");
  }

  private static Server byDefault() {
    String named = System.getenv("MONGOD");
    if (named != null && !named.isEmpty()) {
      return startProcess(named, "MONGOD is set");
    }
    String why;
    try {
      Server server =
          CompletableFuture.supplyAsync(MongoServers::startContainer, MongoServers::aside)
              .get(IMAGE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      return chosen(server, "Testcontainers with " + image(), "Docker answers");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      why = "no container: " + firstLine(e.getCause());
    } catch (TimeoutException e) {
      why = "no container within " + IMAGE_PATIENCE;
    }
    Optional<String> mongod = mongod();
    return mongod.isPresent()
        ? startProcess(mongod.get(), why)
        : chosen(embedded(), "mongo-java-server", why + ", and no mongod");
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

  private static Server chosen(Server server, String what, String why) {
    System.out.println("tidemark.mongodb: " + what + " (" + why + ")");
    return server;
  }

  private static String image() {
    return System.getProperty("tidemark.mongodb.image", IMAGE);
  }

  private static Server startContainer() {
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
    return new Server(uri, false);
  }

  /** The program, of {@code MONGOD} or on the path. */
  static Optional<String> mongod() {
    String named = System.getenv("MONGOD");
    if (named != null && !named.isEmpty()) {
      return Optional.of(named);
    }
    String path = System.getenv("PATH");
    return Stream.of(path == null ? new String[0] : path.split(File.pathSeparator))
        .map(folder -> new File(folder, "mongod"))
        .filter(File::canExecute)
        .map(File::getPath)
        .findFirst();
  }

  private static Server startProcess(String mongod, String why) {
    @SuppressWarnings("resource") // stopped when the JVM ends
    MongoProcess process = MongoProcess.start(mongod, 1);
    return chosen(new Server(process.direct(0), false), "a mongod process", why);
  }

  private static Server startEmbedded() {
    MongoLog.quiet();
    MongoServer server = new MongoServer(new MemoryBackend());
    int port = server.bind().getPort();
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    return new Server("mongodb://127.0.0.1:" + port + "/", true);
  }
}
