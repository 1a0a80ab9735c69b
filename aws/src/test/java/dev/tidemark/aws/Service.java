package dev.tidemark.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;

/** A server that answers as a service of AWS does, as a test says. */
final class Service implements AutoCloseable {
  private final HttpServer server;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** An answer, in the service's own protocol. */
  record Reply(int status, String body) {}

  Service(Function<String, Reply> answers) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String request = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          requests.add(request);
          Reply reply = answers.apply(request);
          byte[] body = reply.body().getBytes(UTF_8);
          exchange.sendResponseHeaders(reply.status(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  /** The bodies of all requests. */
  List<String> requests() {
    return requests;
  }

  /** Lets a client send to this server, and try once. */
  <B extends AwsClientBuilder<B, C>, C> C client(B builder) {
    return builder
        .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("none", "none")))
        .overrideConfiguration(o -> o.retryStrategy(r -> r.maxAttempts(1)))
        .build();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
