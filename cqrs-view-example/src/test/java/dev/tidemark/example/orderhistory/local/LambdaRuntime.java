package dev.tidemark.example.orderhistory.local;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.amazonaws.services.lambda.runtime.serialization.factories.JacksonFactory;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * Calls a handler as Lambda's managed Java runtime does: with the event as JSON, read and written
 * by the runtime's own library.
 */
public final class LambdaRuntime<I, O> implements UnaryOperator<String> {
  private static final int MINUTE_MILLIS = 60_000;

  private final RequestHandler<I, O> handler;
  private final PojoSerializer<I> input;
  private final PojoSerializer<O> output;
  private final int remainingMillis;

  /** Each call has a minute. */
  public LambdaRuntime(RequestHandler<I, O> handler, Class<I> input, Class<O> output) {
    this(handler, input, output, MINUTE_MILLIS);
  }

  /** Each call has so much time, as it is told. */
  public LambdaRuntime(
      RequestHandler<I, O> handler, Class<I> input, Class<O> output, int remainingMillis) {
    this.remainingMillis = remainingMillis;
    this.handler = handler;
    this.input = serializer(input);
    this.output = serializer(output);
  }

  private static <T> PojoSerializer<T> serializer(Class<T> type) {
    return LambdaEventSerializers.isLambdaSupportedEvent(type.getName())
        ? LambdaEventSerializers.serializerFor(type, LambdaRuntime.class.getClassLoader())
        : JacksonFactory.getInstance().getSerializer(type);
  }

  private Context context() {
    return (Context)
        Proxy.newProxyInstance(
            LambdaRuntime.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getRemainingTimeInMillis")) {
                return remainingMillis;
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  @Override
  public String apply(String event) {
    O answer = handler.handleRequest(input.fromJson(event), context());
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    output.toJson(answer, json);
    return json.toString(StandardCharsets.UTF_8);
  }
}
