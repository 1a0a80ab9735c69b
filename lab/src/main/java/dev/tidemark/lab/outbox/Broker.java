package dev.tidemark.lab.outbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tidemark.example.orderhistory.local.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A broker in this process, which outlives the processes that send to it. It takes several messages
 * in one request, a line for each, and answers with a digit for each: 1 for what it has taken. It
 * remembers the order in which they came.
 */
final class Broker implements AutoCloseable {
  private static final int UNAVAILABLE = 503;
  private static final int OK = 200;
  private static final int THREADS = 8;

  /** What came once. */
  record Arrival(String id, Payload payload) {}

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final HttpServer server;
  private final List<Arrival> arrivals = new ArrayList<>();
  private volatile boolean isDown;
  private volatile boolean takesPoison;

  Broker() {
    try {
      server =
          HttpServer.create(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find()), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Takes nothing from now on, until it is up again. */
  void down(boolean down) {
    isDown = down;
  }

  /** Takes poisoned messages from now on. */
  void heal() {
    takesPoison = true;
  }

  /** How many messages came, copies included. */
  int count() {
    synchronized (arrivals) {
      return arrivals.size();
    }
  }

  /** All that came, in order. */
  List<Arrival> arrivals() {
    synchronized (arrivals) {
      return List.copyOf(arrivals);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      if (isDown) {
        exchange.sendResponseHeaders(UNAVAILABLE, -1);
        return;
      }
      StringBuilder answer = new StringBuilder();
      body.lines().forEach(line -> answer.append(takes(line) ? '1' : '0'));
      byte[] bytes = answer.toString().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(OK, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private boolean takes(String line) {
    int tab = line.indexOf('\t');
    Payload payload = Payload.of(line.substring(tab + 1));
    if (payload.poison() && !takesPoison) {
      return false;
    }
    synchronized (arrivals) {
      arrivals.add(new Arrival(line.substring(0, tab), payload));
    }
    return true;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
