package dev.tidemark.benchmarks.dynamodb;

import dev.tidemark.benchmarks.measure.Crowded;
import dev.tidemark.benchmarks.measure.Meter;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The SDK's two clients, with the SDK's defaults but for a pool that holds all that is in flight.
 *
 * @param sync for techniques that hold a thread
 * @param async for those that do not
 */
record Clients(DynamoDbClient sync, DynamoDbAsyncClient async) implements AutoCloseable {
  private static final int CONNECTIONS = Crowded.CALLERS;

  static Clients of(URI endpoint, Meter meter, boolean asksForUnits) {
    Metering metering = new Metering(meter, asksForUnits);
    return new Clients(
        configure(DynamoDbClient.builder(), endpoint, metering)
            .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS))
            .build(),
        configure(DynamoDbAsyncClient.builder(), endpoint, metering)
            .httpClientBuilder(NettyNioAsyncHttpClient.builder().maxConcurrency(CONNECTIONS))
            .build());
  }

  private static <B extends AwsClientBuilder<B, C>, C> B configure(
      B builder, URI endpoint, Metering metering) {
    return builder
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("bench", "bench")))
        .overrideConfiguration(override -> override.addExecutionInterceptor(metering));
  }

  @Override
  public void close() {
    sync.close();
    async.close();
  }
}
