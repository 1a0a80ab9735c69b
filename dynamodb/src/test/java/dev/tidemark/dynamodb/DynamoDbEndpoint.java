package dev.tidemark.dynamodb;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * Where tests find DynamoDB: as the system property {@code tidemark.dynamodb} says, else in a
 * container where Docker answers and has the image or gets it within a minute, else in this JVM.
 */
record DynamoDbEndpoint(URI uri, String name) {
  private static final String CHOICE = "tidemark.dynamodb";
  private static final String DEFAULT_IMAGE = "localstack/localstack:4.13.1";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"));

  private static @Nullable DynamoDbEndpoint shared;

  static synchronized DynamoDbEndpoint get() {
    if (shared == null) {
      shared = choose(System.getProperty(CHOICE, ""));
      System.setProperty(CHOICE, shared.uri().toString()); // for mutants, which load this anew
    }
    return shared;
  }

  private static DynamoDbEndpoint choose(String choice) {
    return switch (choice) {
      case "embedded" -> said(embedded(), "tidemark.dynamodb asks for it");
      case "testcontainers" -> said(container(), "tidemark.dynamodb asks for it");
      case "" -> byDefault();
      default ->
          said(
              new DynamoDbEndpoint(URI.create(choice), "DynamoDB at an endpoint"),
              "tidemark.dynamodb names it");
    };
  }

  private static DynamoDbEndpoint byDefault() {
    CompletableFuture<DynamoDbEndpoint> container =
        CompletableFuture.supplyAsync(DynamoDbEndpoint::container, DynamoDbEndpoint::aside);
    try {
      return said(container.get(PATIENCE.toSeconds(), TimeUnit.SECONDS), "Docker answers");
    } catch (TimeoutException e) {
      return said(embedded(), "Docker gave no LocalStack within " + PATIENCE);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      return said(embedded(), "no LocalStack by Docker: " + reason);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for Docker", e);
    }
  }

  /** A thread of its own: an engine that pulls for ever must not hold up the pool of all. */
  private static void aside(Runnable task) {
    Thread thread = new Thread(task, "starts a container");
    thread.setDaemon(true);
    thread.start();
  }

  private static DynamoDbEndpoint said(DynamoDbEndpoint endpoint, String reason) {
    System.out.println("tidemark.dynamodb: " + endpoint.name() + " (" + reason + ")");
    return endpoint;
  }

  private static DynamoDbEndpoint container() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new IllegalStateException("Docker does not answer");
    }
    String image = System.getProperty("tidemark.dynamodb.image", DEFAULT_IMAGE);
    @SuppressWarnings("resource") // Ryuk or the engine's end removes it.
    LocalStackContainer container =
        new LocalStackContainer(
                DockerImageName.parse(image).asCompatibleSubstituteFor("localstack/localstack"))
            .withServices("dynamodb");
    container.start();
    Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
    return new DynamoDbEndpoint(container.getEndpoint(), "LocalStack");
  }

  /** Another process may take the port that was free: then the next one is tried. */
  private static DynamoDbEndpoint embedded() {
    Exception last = null;
    for (int tries = 0; tries < 10; tries++) {
      try {
        String port = freePort();
        ServerRunner.createServerFromCommandLineArgs(new String[] {"-inMemory", "-port", port})
            .start();
        return new DynamoDbEndpoint(URI.create("http://localhost:" + port), "DynamoDB Local");
      } catch (Exception e) {
        last = e;
      }
    }
    throw new IllegalStateException("DynamoDB Local does not start", last);
  }

  private static String freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return Integer.toString(free.getLocalPort());
    }
  }
}
