package dev.tidemark.example.orderhistory.local;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The proxy between client and server")
class TcpProxyTest {
  private final AtomicInteger served = new AtomicInteger();
  private HttpServer server;
  private TcpProxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] number = Integer.toString(served.incrementAndGet()).getBytes(US_ASCII);
          exchange.sendResponseHeaders(200, number.length);
          exchange.getResponseBody().write(number);
          exchange.close();
        });
    server.start();
    proxy = new TcpProxy("127.0.0.1", server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    proxy.close();
    server.stop(0);
  }

  private String post(Duration timeout) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + proxy.port()))
            .timeout(timeout)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private String post() throws IOException, InterruptedException {
    return post(Duration.ofMinutes(1));
  }

  @Test
  @DisplayName("acts at the request of a trap, before the server sees it or after it has replied")
  void traps() {
    AtomicInteger acts = new AtomicInteger();
    proxy.set(new Trap(List.of("POST"), 1, Trap.Moment.BEFORE, acts::incrementAndGet));
    assertThrows(IOException.class, this::post);
    assertEquals(List.of(1, 0), List.of(acts.get(), served.get()));
    proxy.set(new Trap(List.of("POST"), 1, Trap.Moment.AFTER, acts::incrementAndGet));
    assertThrows(IOException.class, this::post);
    assertEquals(List.of(2, 1), List.of(acts.get(), served.get()));
  }

  @Test
  @DisplayName("passes requests and replies on")
  void passes() throws Exception {
    assertEquals("1", post());
    assertEquals("2", post());
  }

  @Test
  @DisplayName("loses a reply after the server has done its work")
  void dropsReply() throws Exception {
    proxy.dropNextReply();
    assertThrows(IOException.class, this::post);
    assertEquals(1, served.get());
    assertEquals("2", post());
  }

  @Test
  @DisplayName("loses a request before the server has seen it")
  void dropsRequest() throws Exception {
    proxy.dropNextRequest();
    assertThrows(IOException.class, this::post);
    assertEquals(0, served.get());
    assertEquals(1, proxy.lost());
    assertEquals("1", post());
  }

  @Test
  @DisplayName("brings a client that speaks SOCKS to the server that it names")
  void socks() throws Exception {
    try (TcpProxy socks = TcpProxy.socks()) {
      Proxy by =
          new Proxy(
              Proxy.Type.SOCKS,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), socks.port()));
      for (String host : List.of("127.0.0.1", "localhost")) {
        URL server = new URL("http://" + host + ":" + server().getPort());
        try (InputStream reply = server.openConnection(by).getInputStream()) {
          assertEquals(served.get(), Integer.parseInt(new String(reply.readAllBytes(), US_ASCII)));
        }
      }
      assertEquals(2, served.get());
    }
  }

  private InetSocketAddress server() {
    return server.getAddress();
  }

  @Test
  @DisplayName("refuses connections until it is restored")
  void refuses() throws Exception {
    proxy.refuse();
    assertThrows(ConnectException.class, this::post);
    proxy.restore();
    assertEquals("1", post());
  }

  @Test
  @DisplayName("swallows requests until it is restored")
  void swallows() throws Exception {
    proxy.blackHole();
    assertThrows(HttpTimeoutException.class, () -> post(Duration.ofMillis(300)));
    assertEquals(0, served.get());
    proxy.restore();
    assertEquals("1", post());
  }
}
