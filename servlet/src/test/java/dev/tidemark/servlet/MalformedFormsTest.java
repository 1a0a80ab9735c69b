package dev.tidemark.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A form of a malformed request is answered as without the filter")
class MalformedFormsTest extends FilterScene {
  @Test
  @DisplayName("where the query is malformed, whether the servlet asks for parameters or not")
  void query() throws IOException {
    assertAsWithout("/?a=%zz", "", (request, response) -> response.getWriter().print("ran"));
    assertAsWithout(
        "/asks?a=%zz",
        "", (request, response) -> response.getWriter().print(request.getParameter("b")));
  }

  @Test
  @DisplayName("where the charset is unknown")
  void charset() throws IOException {
    assumeTrue(container != Container.JETTY, "throws, and so does the filter");
    Server.Action reads =
        (request, response) ->
            response.getWriter().print(request.getParameter("b") + request.getParameter("a"));
    assertAsWithout("/?a=1", ";charset=nonsense", reads);
  }

  private void assertAsWithout(String path, String charset, Server.Action action)
      throws IOException {
    try (Server plain = server(action);
        Server filtered = server(action, filter())) {
      assertEquals(answer(plain, path, charset), answer(filtered, path, charset));
    }
  }

  /** The status and the body, of a request that no client sends who knows what is right. */
  private static String answer(Server server, String path, String charset) throws IOException {
    String request =
        """
        POST %s HTTP/1.1\r
        Host: localhost\r
        Connection: close\r
        Idempotency-Key: k%s\r
        Content-Type: application/x-www-form-urlencoded%s\r
        Content-Length: 8\r
        \r
        b=%%C3%%BC""";
    try (Socket socket = new Socket("localhost", server.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(request.formatted(path, path.length(), charset).getBytes(ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      return answer.substring(9, 12) + answer.substring(answer.indexOf("\r\n\r\n"));
    }
  }
}
