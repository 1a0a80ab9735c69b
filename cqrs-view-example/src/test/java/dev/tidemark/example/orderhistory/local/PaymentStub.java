package dev.tidemark.example.orderhistory.local;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A payment provider on this machine that has idempotency keys of its own, and writes down every
 * effect before it answers. The ledger is a file with one line for each effect: its kind, the
 * order, and the key. It outlives the stub, and is what audits read.
 */
public final class PaymentStub implements AutoCloseable {
  /** The effect that must happen once. */
  public static final String CHARGE = "charges";

  private static final int CREATED = 201;
  private static final int BAD_REQUEST = 400;
  private static final int REUSED = 422;
  private static final Pattern ORDER = Pattern.compile("\"orderId\":\"([0-9a-zA-Z-]+)\"");
  private static final int THREADS = 16;

  /** What became of one key. */
  private record Effect(String request, String id) {}

  private final Path ledger;
  private final BufferedWriter out;
  private final Map<String, Effect> known = new HashMap<>();
  private final AtomicInteger answersToLose = new AtomicInteger();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final HttpServer server;

  /** Starts one on a free port, with its ledger in an empty folder. */
  public PaymentStub(Path folder) {
    ledger = folder.resolve("ledger");
    try {
      out = Files.newBufferedWriter(ledger, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
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

  /** Where it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Where it listens, as a service is told. */
  public String url() {
    return "http://127.0.0.1:" + port();
  }

  /** Has the next effect, and hangs up instead of answering. */
  public void loseNextAnswer() {
    answersToLose.incrementAndGet();
  }

  /** How often there was an effect of this kind, by order, as the ledger says. */
  public Map<String, Integer> effects(String kind) {
    Map<String, Integer> effects = new TreeMap<>();
    try (Stream<String> lines = Files.lines(ledger)) {
      lines
          .map(line -> line.split(" "))
          .filter(words -> words[0].equals(kind))
          .forEach(words -> effects.merge(words[1], 1, Integer::sum));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return effects;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String kind = exchange.getRequestURI().getPath().substring(1);
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Matcher order = ORDER.matcher(body);
      if (key == null || !order.find()) {
        exchange.sendResponseHeaders(BAD_REQUEST, -1);
        return;
      }
      Effect effect = effect(kind, order.group(1), key, kind + " " + sorted(body));
      if (answersToLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        return; // closed without an answer
      }
      if (!effect.request().equals(kind + " " + sorted(body))) {
        exchange.sendResponseHeaders(REUSED, -1);
        return;
      }
      byte[] answer = ("{\"id\":\"" + effect.id() + "\"}").getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(CREATED, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  /** A client may give the properties of its JSON in any order. */
  private static String sorted(String body) {
    return String.join(",", Stream.of(body.split("[{},]")).sorted().toList());
  }

  /** Brings it about, unless this key did. */
  private synchronized Effect effect(String kind, String orderId, String key, String request)
      throws IOException {
    Effect before = known.get(key);
    if (before != null) {
      return before;
    }
    out.write(kind + " " + orderId + " " + key + "\n");
    out.flush();
    Effect effect = new Effect(request, kind + "-" + (known.size() + 1));
    known.put(key, effect);
    return effect;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
