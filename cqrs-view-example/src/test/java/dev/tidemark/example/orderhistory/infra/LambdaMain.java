package dev.tidemark.example.orderhistory.infra;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A process that is one invocation of a function: makes the handler that it is told, as Lambda
 * does, and hands it the event of standard input. The last line that it writes is the answer.
 */
final class LambdaMain {
  private LambdaMain() {}

  /** Names of the classes of handler, event and answer. */
  public static void main(String[] names) throws ReflectiveOperationException, IOException {
    Object handler = Class.forName(names[0]).getConstructor().newInstance();
    String event = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    System.out.println(answer(handler, Class.forName(names[1]), Class.forName(names[2]), event));
  }

  @SuppressWarnings("unchecked") // the names belong together
  private static <I, O> String answer(
      Object handler, Class<I> input, Class<O> output, String event) {
    return new LambdaRuntime<>((RequestHandler<I, O>) handler, input, output).apply(event);
  }
}
