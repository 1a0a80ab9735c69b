package dev.tidemark.lab.checkout;

import dev.tidemark.example.orderhistory.host.Application;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.FreePort;
import dev.tidemark.example.orderhistory.local.PaymentStub;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The example's service in a process of its own, as it is deployed, behind proxies of its own. It
 * is killed and started again, at the same port. One thread ends and starts it.
 */
final class Service implements AutoCloseable {
  private static final String LEASE_SECONDS = "2";

  private final int port = FreePort.find();
  private final String url = "http://127.0.0.1:" + port;
  private final TcpProxy store;
  private final TcpProxy payments;
  private final Map<String, String> environment;
  private final Path log;
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile @Nullable Process process;
  private volatile boolean up;

  Service(Place place, PaymentStub stub, Path log) {
    this.store = new TcpProxy("127.0.0.1", place.port());
    this.payments = new TcpProxy("127.0.0.1", stub.port());
    this.environment = place.environment(store.port());
    this.log = log;
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
  }

  /** Starts it, and does not wait. */
  void launch() {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Ddemo.log=warn",
                Application.class.getName(),
                "--server.address=127.0.0.1",
                "--server.port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    builder
        .environment()
        .putAll(
            Map.of(
                "CLASSPATH",
                System.getProperty("java.class.path"),
                "PAYMENTS_URL",
                "http://127.0.0.1:" + payments.port(),
                "CHECKOUT_LEASE_SECONDS",
                LEASE_SECONDS));
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it answers. */
  void awaitUp() {
    Await.until("the service answers; its log is " + log, this::answers);
    up = true;
  }

  private boolean answers() {
    if (!isAlive()) {
      throw new IllegalStateException("the service has ended by itself; its log is " + log);
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/actuator/health/liveness")).build();
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false; // it does not listen yet
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Ends it by SIGKILL. */
  void kill() {
    up = false;
    Process now = process;
    if (now != null) {
      now.destroyForcibly();
    }
  }

  /** Waits for its end; false if it did not come. */
  boolean awaitEnd(long millis) {
    Process now = process;
    try {
      return now == null || now.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  boolean isAlive() {
    Process now = process;
    return now != null && now.isAlive();
  }

  /** Whether requests may be sent to it, as a load balancer knows. */
  boolean isUp() {
    return up;
  }

  String url() {
    return url;
  }

  /** What stands before the store. */
  TcpProxy store() {
    return store;
  }

  /** What stands before the payment provider. */
  TcpProxy payments() {
    return payments;
  }

  @Override
  public void close() {
    kill();
    List.of(store, payments).forEach(TcpProxy::close);
  }
}
