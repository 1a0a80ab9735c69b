package dev.tidemark.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

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
  TEXT_BEHIND_A_LENGTH_TAKEN_BACK(
      (request, response) -> {
        response.setHeader("Content-Length", "3");
        response.setHeader("Content-Length", null);
        response.getWriter().print("abcdef");
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
  REDIRECT_TO_ANOTHER_HOST((request, response) -> response.sendRedirect("https://shop.example/x")),
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
  FORWARD_BEHIND_TEXT(
      (request, response) -> {
        response.getWriter().print("never seen");
        request.getRequestDispatcher("/typed").forward(request, response);
      }),
  FORWARD_BEHIND_BYTES(
      (request, response) -> {
        response.getOutputStream().print("never seen");
        request
            .getRequestDispatcher("/typed")
            .forward(request, new HttpServletResponseWrapper(response));
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
  INCLUDE_OF_A_FORWARD_BEHIND_MUCH_TEXT(
      (request, response) -> {
        response.getWriter().print("before ".repeat(2_000));
        request.getRequestDispatcher("/forwarded-length").include(request, response);
      }),
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

  /** The attribute of a dispatch by name. */
  private static final String NAMED = "named";

  /** What a filter in front puts before paths. */
  static final String PREFIX = "/front";

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
        case "/typed" -> {
          response.setContentType("text/html;charset=UTF-8");
          try {
            response.getWriter().print("grüße €");
          } catch (IllegalStateException e) { // as the stream is open
            response.getOutputStream().print("bytes");
          }
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
