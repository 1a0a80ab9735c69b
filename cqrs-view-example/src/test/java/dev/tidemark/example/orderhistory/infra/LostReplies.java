package dev.tidemark.example.orderhistory.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Optional;
import java.util.Random;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Makes one reply in some an error of the service, after the service did what it was asked for. */
final class LostReplies implements ExecutionInterceptor {
  private static final int ONE_IN = 6;

  private final Random random = new Random(5);
  private volatile boolean losing;

  void lose(boolean some) {
    losing = some;
  }

  @Override
  public synchronized SdkHttpResponse modifyHttpResponse(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    return losing && random.nextInt(ONE_IN) == 0
        ? SdkHttpResponse.builder().statusCode(500).build()
        : context.httpResponse();
  }

  @Override
  public Optional<InputStream> modifyHttpResponseContent(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    return context.httpResponse().statusCode() == 500
        ? Optional.of(new ByteArrayInputStream("{}".getBytes(UTF_8)))
        : context.responseBody();
  }
}
