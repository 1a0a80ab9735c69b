package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A servlet behind the filter answers as without it")
class AsWithoutTest extends FilterScene {
  /** What a server adds by itself, or one that replays does. */
  private static final List<String> OTHERS =
      List.of("date", "server", "connection", "keep-alive", "transfer-encoding", "content-length");

  /** Where servers depart from the specification, and the filter does not follow. */
  private static final Map<Container, Set<Doing>> APART =
      Map.of(
          Container.TOMCAT,
          Set.of(),
          Container.JETTY,
          Set.of(
              Doing.JSON_BY_A_WRITER, // of no charset that it tells
              Doing.LESS_THAN_ITS_BODY, // is an error
              Doing.REDIRECT_ABOVE_THE_ROOT, // likewise, as the next
              Doing.REDIRECT_ABOVE_THE_ROOT_IN_A_FORWARD),
          Container.UNDERTOW,
          Set.of(
              Doing.RESET,
              Doing.INCLUDE_OF_A_RESET,
              Doing.INCLUDE_OF_A_REDIRECT,
              Doing.INCLUDE_BY_NAME_OF_A_RESET,
              Doing.INCLUDE_BY_NAME_OF_A_REDIRECT));

  @ParameterizedTest(name = "{0}")
  @DisplayName("first, and when it is replayed")
  @EnumSource
  void asWithout(Doing doing) {
    assertAsWithout(doing);
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("also where a filter before it has wrapped the request and the response")
  @EnumSource
  void wrapped(Doing doing) {
    assertAsWithout(
        doing,
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request),
                new HttpServletResponseWrapper((HttpServletResponse) response)));
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("also where a filter before it redirects in a way of its own")
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "REDIRECT(?!.*(FORWARD|ROOT)).*")
  void redirected(Doing doing) {
    assertAsWithout(
        doing,
        (request, response, chain) ->
            chain.doFilter(
                request,
                new HttpServletResponseWrapper((HttpServletResponse) response) {
                  @Override
                  public void sendRedirect(String location) {
                    setStatus(SC_SEE_OTHER);
                    setHeader("Location", "https://front.example/" + location);
                  }
                }));
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("also where a filter before it answers redirects and errors by a page of its own")
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"REDIRECT(?!.*(FORWARD|ROOT)).*", "ERROR.*"})
  void pages(Doing doing) {
    assertAsWithout(
        doing,
        (request, response, chain) ->
            chain.doFilter(request, new Pages((HttpServletResponse) response)));
  }

  /** Answers by pages, and says nothing of a status or a location. */
  private static final class Pages extends HttpServletResponseWrapper {
    Pages(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
      page("go to " + location);
    }

    @Override
    public void sendError(int status) throws IOException {
      page("sorry, " + status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
      page("sorry, " + status + ": " + message);
    }

    private void page(String text) throws IOException {
      resetBuffer();
      getWriter().print(text);
      getWriter().close();
    }
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("also where the server makes locations absolute, or leaves the path of a forward")
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "REDIRECT.*")
  void configured(Doing doing) {
    configured = true;
    assertAsWithout(doing);
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("also where a filter before it redirects in a forward to below a prefix")
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "REDIRECT(?!.*ROOT).*FORWARD")
  void prefixed(Doing doing) {
    assumeFalse(container == Container.TOMCAT, "its filters have a forward's path until it ends");
    configured = true;
    assertAsWithout(doing, AsWithoutTest::prefixed);
  }

  /** As a filter does that believes what proxies say of the prefix that they have taken away. */
  private static void prefixed(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest asked =
        new HttpServletRequestWrapper((HttpServletRequest) request) {
          @Override
          public String getRequestURI() {
            return Doing.PREFIX + super.getRequestURI();
          }
        };
    chain.doFilter(
        asked,
        new HttpServletResponseWrapper((HttpServletResponse) response) {
          @Override
          public void sendRedirect(String location) throws IOException {
            super.sendRedirect(URI.create(asked.getRequestURI()).resolve(location).toString());
          }
        });
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("also where a filter before it acts on a status, and sends another one")
  @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = ".*(FORWARD|INCLUDE).*")
  void mapped(Doing doing) {
    assertAsWithout(
        doing,
        (request, response, chain) ->
            chain.doFilter(
                request,
                new HttpServletResponseWrapper((HttpServletResponse) response) {
                  @Override
                  public void setStatus(int status) {
                    if (status == SC_ACCEPTED) {
                      setHeader("X-Accepted", "true");
                    }
                    super.setStatus(status == SC_ACCEPTED ? SC_OK : status);
                  }
                }));
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("also where a filter before it hands on a request that is no wrapper")
  @EnumSource
  void proxied(Doing doing) {
    assumeTakesProxies();
    assumeFalse(doing.name().contains("FORWARD"), "servers forward no such request themselves");
    assertAsWithout(doing, AsWithoutTest::proxied);
  }

  private void assumeTakesProxies() {
    assumeFalse(container == Container.UNDERTOW, "Undertow takes wrappers alone, unless told so");
  }

  private static void proxied(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Object proxy =
        Proxy.newProxyInstance(
            AsWithoutTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (self, method, arguments) -> {
              try {
                return method.invoke(request, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    chain.doFilter((HttpServletRequest) proxy, response);
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("with the fields of its form, there too")
  @ValueSource(strings = {"POST", "PUT"})
  void formOfProxy(String method) {
    assumeTakesProxies();
    Server.Action action =
        (request, response) -> {
          response.setContentType("text/plain;charset=UTF-8");
          response.getWriter().print(request.getParameter("a"));
        };
    try (Server without = server(action, AsWithoutTest::proxied);
        Server with = server(action, AsWithoutTest::proxied, filter())) {
      List<String> answers =
          Stream.of(without, with)
              .map(
                  server ->
                      server
                          .send(
                              server
                                  .post("/orders", "")
                                  .setHeader("Content-Type", "application/x-www-form-urlencoded")
                                  .method(method, BodyPublishers.ofString("a=gr%C3%BC%C3%9Fe"))
                                  .header(KEY, "k1"))
                          .body())
              .toList();
      assertEquals(answers.get(0), answers.get(1));
    }
  }

  private void assertAsWithout(Doing doing, Filter... before) {
    List<Filter> filters = new ArrayList<>(List.of(before));
    filters.add(filter());
    try (Server without = server(doing.action(), before);
        Server with = server(doing.action(), filters.toArray(Filter[]::new))) {
      HttpResponse<String> plain = ask(without);
      HttpResponse<String> first = ask(with);
      HttpResponse<String> again = ask(with);
      assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
      assertEquals(shown(first, false), shown(again, false));
      if (APART.getOrDefault(container, Set.of()).contains(doing)) {
        assertNotEquals(shown(plain, true), shown(first, true));
      } else {
        assertEquals(shown(plain, true), shown(first, true));
      }
    }
  }

  private HttpResponse<String> ask(Server server) {
    return server.send(server.post("/shop/orders", "7").header(KEY, "k1"));
  }

  /** What a client sees. */
  static String shown(HttpResponse<String> response, boolean first) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("status", response.statusCode());
    shown.put("body", response.body());
    shown.put("headers", first ? headers(response.headers()) : replayed(response.headers()));
    return shown.toString();
  }

  private static Map<String, List<String>> headers(HttpHeaders headers) {
    Map<String, List<String>> shown = new TreeMap<>(headers.map());
    shown.keySet().removeIf(name -> OTHERS.contains(name.toLowerCase(Locale.ROOT)));
    shown.replaceAll((name, values) -> values.stream().map(AsWithoutTest::form).toList());
    return shown;
  }

  /** In one form, as Undertow has spaces between parameters, and a host in a redirect. */
  private static String form(String value) {
    return value.replace("; ", ";").replaceFirst("http://localhost:\\d+/", "/");
  }

  private static Map<String, List<String>> replayed(HttpHeaders headers) {
    Map<String, List<String>> shown = headers(headers);
    shown.keySet().retainAll(List.of("content-type", "content-language", "etag", "location"));
    return shown;
  }
}
