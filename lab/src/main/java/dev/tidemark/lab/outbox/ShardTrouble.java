package dev.tidemark.lab.outbox;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;

/**
 * Answers of DynamoDB's streams that DynamoDB Local does not give: iterators that expire, and a
 * shard that ends and has children. Says when a reader has got over it. For one client and thread.
 */
final class ShardTrouble implements ExecutionInterceptor {
  private static final int EVERY = 20;
  private static final int BAD_REQUEST = 400;
  private static final String LEFT = "shardId-00000000000000000000-left0000";
  private static final String RIGHT = "shardId-00000000000000000000-right000";
  private static final ExecutionAttribute<Boolean> EXPIRES = new ExecutionAttribute<>("expires");

  private final Case what;
  private int reads;
  private boolean hasExpired;
  private boolean isSplit;
  private String parent = "";
  private @Nullable String lastRead;

  ShardTrouble(Case what) {
    this.what = what;
  }

  private void tell() {
    System.out.println(what.told().orElseThrow());
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (context.request() instanceof GetRecordsRequest) {
      reads++;
      boolean expires = what == Case.ITERATOR_EXPIRED && lastRead != null && reads % EVERY == 0;
      attributes.putAttribute(EXPIRES, expires);
      hasExpired |= expires;
    }
  }

  @Override
  public SdkHttpResponse modifyHttpResponse(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    return Boolean.TRUE.equals(attributes.getAttribute(EXPIRES))
        ? context.httpResponse().toBuilder()
            .statusCode(BAD_REQUEST)
            .removeHeader("x-amz-crc32")
            .removeHeader("Content-Length")
            .build()
        : context.httpResponse();
  }

  @Override
  public Optional<InputStream> modifyHttpResponseContent(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    String error = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ExpiredIteratorException\"}";
    return Boolean.TRUE.equals(attributes.getAttribute(EXPIRES))
        ? Optional.of(new ByteArrayInputStream(error.getBytes(StandardCharsets.UTF_8)))
        : context.responseBody();
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    if (!(context.request() instanceof GetShardIteratorRequest request)) {
      return context.request();
    }
    if (hasExpired) {
      hasExpired = false;
      tell();
    }
    if (request.shardId().equals(LEFT)) { // what came after the split
      tell();
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
    if (context.response() instanceof GetRecordsResponse read && !read.records().isEmpty()) {
      lastRead = read.records().get(read.records().size() - 1).dynamodb().sequenceNumber();
      if (what == Case.SHARD_SPLIT && !isSplit) {
        isSplit = true;
        return read.toBuilder().nextShardIterator(null).build();
      }
    }
    return isSplit && context.response() instanceof DescribeStreamResponse described
        ? described.toBuilder()
            .streamDescription(
                described.streamDescription().toBuilder().shards(split(described)).build())
            .build()
        : context.response();
  }

  private List<Shard> split(DescribeStreamResponse described) {
    List<Shard> shards = new ArrayList<>();
    for (Shard shard : described.streamDescription().shards()) {
      parent = shard.shardId();
      shards.add(shard);
      shards.add(shard.toBuilder().shardId(LEFT).parentShardId(parent).build());
      shards.add(shard.toBuilder().shardId(RIGHT).parentShardId(parent).build());
    }
    return shards;
  }
}
