package dev.tidemark.example.orderhistory.local;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** DynamoDB Local in this process, reached by HTTP as the service is. */
public final class LocalDynamoDb implements AutoCloseable {
  /** What every local service takes. */
  public static final AwsCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"));

  /** A server that listens. */
  private record Started(DynamoDBProxyServer server, URI uri) {}

  private final DynamoDBProxyServer server;
  private final URI uri;

  /** Starts one that holds its tables in memory. */
  public LocalDynamoDb() {
    PrintStream out = System.out;
    System.setOut(new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    try { // it prints its settings
      Started started = started();
      server = started.server();
      uri = started.uri();
    } finally {
      System.setOut(out);
    }
  }

  /** Another process may take the port that was free: then the next one is tried. */
  private static Started started() {
    Exception last = null;
    for (int tries = 0; tries < 10; tries++) {
      String port = Integer.toString(FreePort.find());
      try {
        DynamoDBProxyServer server =
            ServerRunner.createServerFromCommandLineArgs(
                new String[] {"-inMemory", "-sharedDb", "-port", port});
        server.start();
        return new Started(server, URI.create("http://127.0.0.1:" + port));
      } catch (Exception e) {
        last = e;
      }
    }
    throw new IllegalStateException("DynamoDB Local does not start", last);
  }

  /** Where it listens. */
  public URI uri() {
    return uri;
  }

  /** A new client of it. */
  public DynamoDbClient client() {
    return client(uri);
  }

  /** A new client of its streams. */
  public DynamoDbStreamsClient streams() {
    return streams(uri);
  }

  /** A new client of the streams of what listens there. */
  public static DynamoDbStreamsClient streams(URI uri) {
    return DynamoDbStreamsClient.builder()
        .endpointOverride(uri)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(CREDENTIALS)
        .build();
  }

  /** A new client of what listens there. */
  public static DynamoDbClient client(URI uri) {
    return client(uri, new LongAdder());
  }

  /** The same, which counts what it sends, repeats included. */
  public static DynamoDbClient client(URI uri, LongAdder requests) {
    ExecutionInterceptor counter =
        new ExecutionInterceptor() {
          @Override
          public void beforeTransmission(
              Context.BeforeTransmission context, ExecutionAttributes attributes) {
            requests.increment();
          }
        };
    return DynamoDbClient.builder()
        .endpointOverride(uri)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(CREDENTIALS)
        .overrideConfiguration(o -> o.addExecutionInterceptor(counter))
        .build();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("DynamoDB Local does not stop", e);
    }
  }
}
