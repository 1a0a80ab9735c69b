package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

  /** The attribute of a dispatch by name. */
  private static final String NAMED = "named";

  /** What a filter in front puts before paths. */
  private static final String PREFIX = "/front";

  /** What a servlet may do with its response. */
  enum Doing {
    NOTHING((request, response) -> {}),
    STATUS((request, response) -> response.setStatus(202)),
    TEXT((request, response) -> response.getWriter().print("grüße")),
    TYPED_TEXT(
        (request, response) -> {
          response.setContentType("text/plain;charset=UTF-8");
          response.getWriter().print("grüße €");
        }),
    TEXT_IN_A_CHARSET(
        (request, response) -> {
          response.setCharacterEncoding("UTF-8");
          response.setContentType("text/plain");
          response.getWriter().print("grüße €");
        }),
    JSON_BY_A_WRITER(
        (request, response) -> {
          response.setContentType("application/json");
          response.getWriter().print("{\"a\":\"b\"}");
        }),
    TYPE_BY_A_HEADER(
        (request, response) -> {
          response.getWriter().print("gr\u00fc\u00dfe");
          response.setHeader("content-type", "text/html;charset=UTF-8");
        }),
    TYPE_BY_AN_ADDED_HEADER(
        (request, response) -> {
          response.getWriter().print("gr\u00fc\u00dfe");
          response.addHeader("Content-Type", "text/html;charset=UTF-8");
        }),
    BYTES(
        (request, response) -> {
          response.setContentType("application/octet-stream");
          response.getOutputStream().write(new byte[] {1, 2, 3});
        }),
    BYTES_OF_A_LENGTH(
        (request, response) -> {
          response.setContentLength(5);
          response.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
          response.getOutputStream().close();
        }),
    LESS_THAN_ITS_BODY(
        (request, response) -> {
          response.setContentLength(3);
          response.getOutputStream().print("abcdef");
        }),
    LARGE((request, response) -> response.getWriter().print("0123456789".repeat(30_000))),
    BUFFERED(
        (request, response) -> {
          response.setBufferSize(response.getBufferSize() * 2);
          response.getWriter().print("a".repeat(response.getBufferSize()));
          response.flushBuffer();
          response.getWriter().print("b");
          response.getWriter().close();
          response.getWriter().print("c");
        }),
    LOCALE(
        (request, response) -> {
          response.setLocale(Locale.forLanguageTag("de-CH"));
          response.getWriter().print("Hoi");
        }),
    COOKIES(
        (request, response) -> {
          Cookie cookie = new Cookie("a", "1");
          cookie.setHttpOnly(true);
          cookie.setPath("/");
          response.addCookie(cookie);
          response.addCookie(new Cookie("b", "2"));
        }),
    HEADERS(
        (request, response) -> {
          response.setHeader("ETag", "\"1\"");
          response.addHeader("ETag", "\"2\"");
          response.setDateHeader("Last-Modified", 0);
          response.addIntHeader("X-Number", 7);
          response.setHeader("X-Gone", "x");
          response.setHeader("X-Gone", null);
        }),
    ERROR((request, response) -> response.sendError(404)),
    ERROR_WITH_A_TEXT(
        (request, response) -> {
          response.getWriter().print("never seen");
          response.setHeader("ETag", "\"1\"");
          response.sendError(409, "no");
        }),
    REDIRECT((request, response) -> response.sendRedirect("/elsewhere")),
    REDIRECT_TO_A_RELATIVE((request, response) -> response.sendRedirect("next?return=/a/../b#top")),
    REDIRECT_TO_A_QUERY((request, response) -> response.sendRedirect("?page=2")),
    REDIRECT_TO_A_FRAGMENT((request, response) -> response.sendRedirect("#top")),
    REDIRECT_TO_NOTHING((request, response) -> response.sendRedirect("")),
    REDIRECT_TO_ANOTHER_HOST(
        (request, response) -> response.sendRedirect("https://shop.example/x")),
    REDIRECT_WITHOUT_A_SCHEME((request, response) -> response.sendRedirect("//shop.example/x")),
    REDIRECT_ABOVE_THE_ROOT((request, response) -> response.sendRedirect("../../x")),
    REDIRECT_BEHIND_A_LOCATION(
        (request, response) -> {
          response.setHeader("Location", "/former");
          response.sendRedirect("/elsewhere");
        }),
    REDIRECT_IN_A_FORWARD(forward("/very/deep/relative")),
    REDIRECT_TO_A_QUERY_IN_A_FORWARD(forward("/deep/query")),
    REDIRECT_UPWARDS_IN_A_FORWARD(forward("/deep/up")),
    REDIRECT_ABOVE_THE_ROOT_IN_A_FORWARD(forward("/deep/above")),
    RESET(
        (request, response) -> {
          response.addCookie(new Cookie("a", "1"));
          response.setStatus(404);
          response.setContentType("text/html;charset=UTF-8");
          response.setHeader("ETag", "\"1\"");
          response.getOutputStream().print("old");
          response.reset();
          response.getWriter().print("new");
        }),
    RESET_OF_A_TYPE(
        (request, response) -> {
          response.setContentType("text/html;charset=UTF-8");
          response.reset();
        }),
    FORWARD(
        (request, response) -> {
          response.getWriter().print("never seen");
          request.getRequestDispatcher("/view?by=forward").forward(request, response);
          response.getWriter().print("nor this");
        }),
    FORWARD_BEHIND_A_STATUS(
        (request, response) -> {
          response.setStatus(202);
          request.getRequestDispatcher("/short").forward(request, response);
        }),
    FORWARD_OF_A_WRAPPER(
        (request, response) ->
            request
                .getRequestDispatcher("/view?by=forward")
                .forward(request, new HttpServletResponseWrapper(response))),
    FORWARD_TO_AN_ERROR(forward("/refuse")),
    INCLUDE(
        (request, response) -> {
          response.getWriter().print("before ");
          request.getRequestDispatcher("/view?by=include").include(request, response);
          response.getWriter().print(" after");
        }),
    INCLUDE_IN_A_WRAPPER(
        (request, response) ->
            request
                .getRequestDispatcher("/view?by=include")
                .include(request, new HttpServletResponseWrapper(response))),
    INCLUDE_OF_A_LENGTH(include("/length")),
    INCLUDE_OF_AN_ERROR(include("/refuse")),
    INCLUDE_OF_A_RESET(
        (request, response) -> {
          response.setHeader("ETag", "\"1\"");
          response.getWriter().print("before ");
          request.getRequestDispatcher("/reset").include(request, response);
        }),
    INCLUDE_OF_A_REDIRECT(include("/redirect")),
    INCLUDE_BY_NAME_OF_A_LENGTH(
        (request, response) -> {
          response.getWriter().print("before ");
          named(request, "/length").include(request, response);
          response.getWriter().print(" after");
        }),
    INCLUDE_BY_NAME_OF_AN_ERROR(
        (request, response) -> {
          response.getWriter().print("before ");
          named(request, "/refuse").include(request, response);
          response.getWriter().print(" after");
        }),
    INCLUDE_BY_NAME_OF_A_RESET(
        (request, response) -> {
          response.setHeader("ETag", "\"1\"");
          response.getWriter().print("before ");
          named(request, "/reset").include(request, response);
        }),
    INCLUDE_BY_NAME_OF_A_REDIRECT(includeByName("/redirect")),
    INCLUDE_OF_A_FORWARD(include("/forwarded-length")),
    INCLUDE_OF_A_FORWARD_TO_AN_ERROR(include("/forwarded-error")),
    INCLUDE_BY_NAME_OF_A_FORWARD(includeByName("/forwarded-length")),
    INCLUDE_BY_NAME_OF_A_FORWARD_TO_AN_ERROR(includeByName("/forwarded-error")),
    ERROR_BEHIND_AN_INCLUDE_BY_NAME(
        (request, response) -> {
          named(request, "/length").include(request, response);
          response.sendError(404);
        }),
    FORWARD_BY_NAME((request, response) -> named(request, "/length").forward(request, response)),
    TRAILERS(
        (request, response) -> {
          response.setTrailerFields(() -> Map.of("X-Sum", "7"));
          response.getWriter().print("7");
        });

    @SuppressWarnings("ImmutableEnumChecker") // actions hold nothing
    private final Server.Action action;

    Doing(Server.Action action) {
      this.action = action;
    }

    /** Does it, or is what another servlet dispatches to. */
    Server.Action action() {
      return (request, response) -> {
        switch (path(request)) {
          case "/view" -> {
            response.setStatus(202);
            response.setHeader("ETag", "\"view\"");
            response.getWriter().print("the view, by " + request.getParameter("by"));
          }
          case "/refuse" -> response.sendError(403, "not you");
          case "/length" -> {
            response.setContentLength(3);
            response.setIntHeader("Content-Length", 3);
            response.getWriter().print("abc");
          }
          case "/short" -> {
            response.setContentLength(2);
            response.getWriter().print("ab");
          }
          case "/very/deep/relative" -> response.sendRedirect("next");
          case "/deep/query" -> response.sendRedirect("?page=2");
          case "/deep/up" -> response.sendRedirect("../up//./a?return=/a/../b#/c/../d");
          case "/deep/above" -> response.sendRedirect("../../../above/.");
          case "/forwarded-length" ->
              request.getRequestDispatcher("/length").forward(request, response);
          case "/forwarded-error" ->
              request.getRequestDispatcher("/refuse").forward(request, response);
          case "/reset" -> response.reset();
          case "/redirect" -> response.sendRedirect("/elsewhere");
          default -> action.answer(request, response);
        }
      };
    }

    /** Of the one servlet that there is, which is told by an attribute what to do. */
    private static Server.Action forward(String path) {
      return (request, response) -> request.getRequestDispatcher(path).forward(request, response);
    }

    private static Server.Action include(String path) {
      return (request, response) -> {
        response.getWriter().print("before ");
        request.getRequestDispatcher(path).include(request, response);
      };
    }

    private static Server.Action includeByName(String path) {
      return (request, response) -> {
        response.getWriter().print("before ");
        named(request, path).include(request, response);
      };
    }

    private static RequestDispatcher named(HttpServletRequest request, String path) {
      request.setAttribute(NAMED, path);
      return request.getServletContext().getNamedDispatcher("action");
    }

    private static String path(HttpServletRequest request) {
      Object named = request.getAttribute(NAMED);
      request.removeAttribute(NAMED);
      Object included = request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI);
      Object forwarded = request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI);
      return Stream.of(named, forwarded == null ? included : null, request.getRequestURI())
          .filter(Objects::nonNull)
          .findFirst()
          .orElseThrow()
          .toString()
          .replaceFirst("^" + PREFIX, "");
    }
  }

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
              Doing.REDIRECT_ABOVE_THE_ROOT_IN_A_FORWARD,
              Doing.INCLUDE_OF_A_FORWARD, // clears what was before, as the next
              Doing.INCLUDE_OF_A_FORWARD_TO_AN_ERROR,
              Doing.INCLUDE_BY_NAME_OF_A_FORWARD,
              Doing.INCLUDE_BY_NAME_OF_A_FORWARD_TO_AN_ERROR),
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
            return PREFIX + super.getRequestURI();
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
