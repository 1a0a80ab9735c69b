package dev.tidemark.lambda;

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
final class LambdaRuntime<I, O> implements UnaryOperator<String> {
  private static final Context CONTEXT =
      (Context)
          Proxy.newProxyInstance(
              LambdaRuntime.class.getClassLoader(),
              new Class<?>[] {Context.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  private final RequestHandler<I, O> handler;
  private final PojoSerializer<I> input;
  private final PojoSerializer<O> output;

  LambdaRuntime(RequestHandler<I, O> handler, Class<I> input, Class<O> output) {
    this.handler = handler;
    this.input = serializer(input);
    this.output = serializer(output);
  }

  private static <T> PojoSerializer<T> serializer(Class<T> type) {
    return LambdaEventSerializers.isLambdaSupportedEvent(type.getName())
        ? LambdaEventSerializers.serializerFor(type, LambdaRuntime.class.getClassLoader())
        : JacksonFactory.getInstance().getSerializer(type);
  }

  @Override
  public String apply(String event) {
    O answer = handler.handleRequest(input.fromJson(event), CONTEXT);
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    output.toJson(answer, json);
    return json.toString(StandardCharsets.UTF_8);
  }
}
