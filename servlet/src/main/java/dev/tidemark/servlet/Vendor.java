package dev.tidemark.servlet;

import static jakarta.servlet.http.HttpServletResponse.SC_ACCEPTED;
import static jakarta.servlet.http.HttpServletResponse.SC_OK;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.regex.Pattern;

/** Whose server it is, for what servers do in ways of their own. */
enum Vendor {
  TOMCAT("org.apache.catalina."),
  JETTY("org.eclipse.jetty."),
  UNDERTOW("io.undertow."),
  OTHER("");

  /** What begins with a slash or a scheme. */
  private static final Pattern ABSOLUTE = Pattern.compile("/|[a-zA-Z][a-zA-Z0-9+.-]*:");

  private final String classes;

  Vendor(String classes) {
    this.classes = classes;
  }

  /** The vendor of the server that made a request, whatever filters have put around it. */
  static Vendor of(ServletRequest request) {
    ServletContext made = request.getServletContext();
    String name = made == null ? "" : made.getClass().getName();
    return Arrays.stream(values())
        .filter(vendor -> name.startsWith(vendor.classes))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Whether a stream is the server's own, and gives as many bytes as the Content-Length says.
   * Undertow's may be unzipped under the length of what came, as the streams of filters may.
   */
  boolean keepsLength(ServletInputStream stream) {
    return (this == TOMCAT || this == JETTY) && stream.getClass().getName().startsWith(classes);
  }

  /**
   * A location that means the same once a forward is over: on Undertow, to whose forwards locations
   * are relative, the whole path.
   */
  String redirected(HttpServletRequest request, String location) {
    Object asked = request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI);
    if (this != UNDERTOW || asked == null || ABSOLUTE.matcher(location).lookingAt()) {
      return location;
    }
    String current = request.getRequestURI();
    int query = location.indexOf('?');
    int end = query < 0 ? location.length() : query;
    return canonical(
            current.substring(0, current.lastIndexOf('/') + 1) + location.substring(0, end))
        + location.substring(end);
  }

  /** A path without its dots, and without what leads above the root, as Undertow makes it. */
  static String canonical(String path) {
    Deque<String> segments = new ArrayDeque<>();
    for (String segment : path.split("/", -1)) {
      if (segment.equals("..")) {
        segments.pollLast();
      } else if (!segment.equals(".")) {
        segments.add(segment);
      }
    }
    segments.removeIf(String::isEmpty);
    String whole = "/" + String.join("/", segments);
    return path.endsWith("/") && !segments.isEmpty() ? whole + "/" : whole;
  }

  /**
   * Whether a response in a forward is that of a resource which another one includes. Tomcat puts a
   * wrapper of its own around a response that it does not know; others keep the status. Only the
   * server is asked: a filter in front may act on a status, or send another one.
   */
  boolean includes(ServletResponse response) {
    return this == TOMCAT
        ? response instanceof ServletResponseWrapper
        : keepsStatus((HttpServletResponse) innermost(response));
  }

  private static ServletResponse innermost(ServletResponse response) {
    ServletResponse inner = response;
    while (inner instanceof ServletResponseWrapper wrapper) {
      inner = wrapper.getResponse();
    }
    return inner;
  }

  private static boolean keepsStatus(HttpServletResponse server) {
    int status = server.getStatus();
    server.setStatus(status == SC_OK ? SC_ACCEPTED : SC_OK);
    boolean kept = server.getStatus() == status;
    server.setStatus(status);
    return kept;
  }

  /** Whether a form's fields are parameters in a request of such a method. */
  boolean readsForms(String method) {
    return switch (this) {
      case UNDERTOW -> true;
      case JETTY -> method.equals("POST") || method.equals("PUT");
      default -> method.equals("POST");
    };
  }

  /** The charset of a form for which the request names none. */
  Charset charsetOfForms() {
    return this == JETTY ? UTF_8 : ISO_8859_1;
  }

  /** A form in a charset that is not known here. */
  Form formInUnknownCharset(byte[] body) {
    return switch (this) {
      case TOMCAT -> Form.of(body, charsetOfForms());
      case UNDERTOW -> Form.NONE;
      default -> throw new IllegalStateException("the charset of the request's form is unknown");
    };
  }
}
