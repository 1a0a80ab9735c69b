package dev.tidemark.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.Charset;
import java.util.Arrays;
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
        .orElse(OTHER);
  }

  /**
   * A location that can be told once a forward is over, which Undertow's are relative to: it leads
   * from what was asked for to the root, and from there to where the forward was, so that the
   * server makes of its dots what it makes of others.
   */
  String redirected(HttpServletRequest request, String location) {
    Object asked = request.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI);
    if (this != UNDERTOW || asked == null || ABSOLUTE.matcher(location).lookingAt()) {
      return location;
    }
    long folders = asked.toString().chars().filter(c -> c == '/').count() - 1;
    String path = request.getRequestURI();
    return "./"
        + "../".repeat((int) folders)
        + path.substring(1, path.lastIndexOf('/') + 1)
        + location;
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
}
