package dev.tidemark.servlet;

import jakarta.servlet.Filter;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A servlet behind filters in a server, and a client of it. */
final class Server implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("org.apache");

  static {
    LOG.setLevel(Level.OFF); // the tests let servlets fail
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final Tomcat tomcat = new Tomcat();
  private final Path folder;

  Server(Action action, Filter... filters) {
    try {
      folder = Files.createTempDirectory("tomcat");
      tomcat.setBaseDir(folder.toString());
      tomcat.setPort(0);
      Context context = tomcat.addContext("", folder.toString());
      Tomcat.addServlet(context, "action", new ActionServlet(action)).setAsyncSupported(true);
      context.addServletMappingDecoded("/*", "action");
      for (int i = 0; i < filters.length; i++) {
        add(context, "filter" + i, filters[i]);
      }
      tomcat.getConnector();
      tomcat.start();
    } catch (IOException | LifecycleException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(Context context, String name, Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(name);
    map.addURLPattern("/*");
    context.addFilterMap(map);
  }

  /** A request of JSON. */
  HttpRequest.Builder post(String path, String body) {
    return HttpRequest.newBuilder(
            URI.create("http://localhost:" + tomcat.getConnector().getLocalPort() + path))
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
      tomcat.stop();
      tomcat.destroy();
      try (Stream<Path> left = Files.walk(folder)) {
        left.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      }
    } catch (IOException | LifecycleException e) {
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
        action.answer(request, response);
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
