package dev.tidemark.dynamodb;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * A client of streams that answers by errors of the service, and splits shards. DynamoDB Local lets
 * no iterator expire within a test, trims nothing, and splits no shard.
 */
final class StreamFaults implements SdkHttpClient, ExecutionInterceptor {
  private static final String LEFT = "shardId-00000000000000000000-left0000";
  private static final String RIGHT = "shardId-00000000000000000000-right000";

  private final SdkHttpClient http = UrlConnectionHttpClient.create();
  private final Deque<String> errors = new ArrayDeque<>();
  private final List<ShardIteratorType> starts = new ArrayList<>();
  private int requests;
  private @Nullable String lastRead;
  private boolean splits;
  private boolean isSplit;
  private String parent = "";

  DynamoDbStreamsClient client() {
    return DynamoDbStreamsClient.builder()
        .endpointOverride(DynamoDbEndpoint.get().uri())
        .region(Region.US_EAST_1)
        .credentialsProvider(DynamoDbEndpoint.CREDENTIALS)
        .httpClient(this)
        .overrideConfiguration(
            c -> c.retryStrategy(DefaultRetryStrategy.doNotRetry()).addExecutionInterceptor(this))
        .build();
  }

  /** The answers to the next reads of records. */
  void answerReads(String... codes) {
    errors.addAll(List.of(codes));
  }

  /** Ends the shard by the next read; another asks for its children. */
  void split() {
    splits = true;
  }

  /** How iterators were asked for. */
  List<ShardIteratorType> starts() {
    return starts;
  }

  int requests() {
    return requests;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    String target = request.httpRequest().firstMatchingHeader("X-Amz-Target").orElse("");
    ExecutableHttpRequest real = http.prepareRequest(request);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        requests++;
        String error = target.endsWith("GetRecords") ? errors.poll() : null;
        return error == null ? real.call() : DynamoDbFaults.answer(error);
      }

      @Override
      public void abort() {
        real.abort();
      }
    };
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    if (!(context.request() instanceof GetShardIteratorRequest request)) {
      return context.request();
    }
    starts.add(request.shardIteratorType());
    if (request.shardId().equals(LEFT) && lastRead != null) { // what came after the split
      return request.toBuilder()
          .shardId(parent)
          .shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
          .sequenceNumber(lastRead)
          .build();
    }
    return request.shardId().equals(RIGHT)
        ? request.toBuilder().shardId(parent).shardIteratorType(ShardIteratorType.LATEST).build()
        : request;
  }

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    if (context.response() instanceof GetRecordsResponse read) {
      for (Record record : read.records()) {
        lastRead = record.dynamodb().sequenceNumber();
      }
      if (splits) {
        splits = false;
        isSplit = true;
        return read.toBuilder().nextShardIterator(null).build();
      }
    }
    if (isSplit && context.response() instanceof DescribeStreamResponse described) {
      List<Shard> shards = new ArrayList<>();
      for (Shard shard : described.streamDescription().shards()) {
        parent = shard.shardId();
        shards.add(shard);
        shards.add(shard.toBuilder().shardId(LEFT).parentShardId(parent).build());
        shards.add(shard.toBuilder().shardId(RIGHT).parentShardId(parent).build());
      }
      return described.toBuilder()
          .streamDescription(described.streamDescription().toBuilder().shards(shards).build())
          .build();
    }
    return context.response();
  }

  @Override
  public void close() {
    http.close();
  }
}
