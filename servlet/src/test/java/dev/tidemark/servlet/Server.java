package dev.tidemark.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A servlet behind filters in a server, and a client of it. */
final class Server implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final Container.Running server;

  Server(Container container, boolean configured, Action action, Filter... filters) {
    try {
      server = container.start(configured, new ActionServlet(action), filters);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return server.port();
  }

  /** A request of JSON. */
  HttpRequest.Builder post(String path, String body) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.end().stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a servlet does. */
  interface Action {
    void answer(HttpServletRequest request, HttpServletResponse response) throws Exception;
  }

  private static final class ActionServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Action action;

    ActionServlet(Action action) {
      this.action = action;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        if (request.getDispatcherType() == DispatcherType.ERROR) {
          Object message = request.getAttribute(RequestDispatcher.ERROR_MESSAGE);
          response.getWriter().print("error " + response.getStatus() + ": " + message);
        } else {
          action.answer(request, response);
        }
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
