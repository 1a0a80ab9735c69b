package dev.tidemark.opentelemetry;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.mongodb.MongoClientSettings;
import dev.tidemark.servers.MongoProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.regions.Region;

/**
 * The stores of the tests, one of each for a JVM: DynamoDB Local in this process, and a MongoDB
 * that stands alone.
 */
final class Servers {
  private static final String DYNAMO_DB = dynamoDb();
  private static final String MONGO_DB = MongoProcess.start(0).direct(0);

  private Servers() {}

  /** Builds a client whose requests are intercepted. */
  static <C> C client(AwsClientBuilder<?, C> builder, ExecutionInterceptor interceptor) {
    return builder
        .endpointOverride(URI.create(DYNAMO_DB))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .overrideConfiguration(all -> all.addExecutionInterceptor(interceptor))
        .build();
  }

  static MongoClientSettings.Builder mongo() {
    return MongoClientSettings.builder()
        .applyConnectionString(new com.mongodb.ConnectionString(MONGO_DB));
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** Another process may take the port that was free: then the next one is tried. */
  private static String dynamoDb() {
    Exception last = null;
    for (int tries = 0; tries < 10; tries++) {
      try {
        String port = String.valueOf(freePort());
        ServerRunner.createServerFromCommandLineArgs(
                new String[] {"-inMemory", "-sharedDb", "-port", port})
            .start();
        return "http://127.0.0.1:" + port;
      } catch (Exception e) {
        last = e;
      }
    }
    throw new IllegalStateException("DynamoDB Local does not start", last);
  }
}
