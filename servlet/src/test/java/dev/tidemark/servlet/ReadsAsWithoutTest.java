package dev.tidemark.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A servlet behind the filter reads what it reads without it")
class ReadsAsWithoutTest extends FilterScene {
  private static final int SCRIPTS = 1_000;

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final List<String> TYPES =
      List.of(FORM, FORM + ";charset=UTF-8", FORM + "; charset=iso-8859-1", "text/plain");
  private static final List<String> METHODS = List.of("POST", "POST", "PATCH", "PUT");

  /** What a servlet may do with its request. */
  enum Reading {
    PARAMETER((request, response) -> request.getParameter("b")),
    PARAMETER_OF_THE_QUERY((request, response) -> request.getParameter("a")),
    VALUES((request, response) -> Arrays.toString(request.getParameterValues("a"))),
    NONE((request, response) -> "" + Arrays.toString(request.getParameterValues("none"))),
    NAMES((request, response) -> names(request)),
    MAP((request, response) -> map(request)),
    BYTES((request, response) -> new String(request.getInputStream().readAllBytes(), ISO_8859_1)),
    TEXT((request, response) -> text(request)),
    ENCODING((request, response) -> request.getCharacterEncoding()),
    IN_UTF_8((request, response) -> in("UTF-8", request)),
    IN_LATIN_1((request, response) -> in("ISO-8859-1", request)),
    FORWARD(
        (request, response) -> {
          request.getRequestDispatcher("/view?a=forward&by=f%C3%BC").forward(request, response);
          return "forwarded";
        }),
    FORWARD_BY_THE_CONTEXT(
        (request, response) -> {
          request
              .getServletContext()
              .getRequestDispatcher("/view?a=forward&by=f%C3%BC")
              .forward(request, response);
          return "forwarded";
        }),
    INCLUDE(
        (request, response) -> {
          request.getRequestDispatcher("/view?a=include&by=i").include(request, response);
          return "included";
        });

    @SuppressWarnings("ImmutableEnumChecker") // steps hold nothing
    private final Step step;

    Reading(Step step) {
      this.step = step;
    }

    private interface Step {
      String read(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    private static String names(HttpServletRequest request) {
      return new TreeSet<>(Collections.list(request.getParameterNames())).toString();
    }

    static String map(HttpServletRequest request) {
      Map<String, List<String>> shown = new TreeMap<>();
      request.getParameterMap().forEach((name, values) -> shown.put(name, List.of(values)));
      return shown.toString();
    }

    private static String text(HttpServletRequest request) throws Exception {
      StringBuilder text = new StringBuilder();
      for (int c = request.getReader().read(); c >= 0; c = request.getReader().read()) {
        text.append((char) c);
      }
      return text.toString();
    }

    private static String in(String charset, HttpServletRequest request) throws Exception {
      request.setCharacterEncoding(charset);
      return "set";
    }
  }

  /** A request, and what the servlet reads of it. */
  private record Script(String method, String type, String body, List<Reading> readings) {
    static Script of(long seed) {
      Random random = new Random(seed * 7919);
      String body =
          one(random, List.of("a=1&b=gr%C3%BC%C3%9Fe&a=2", "b=gr\u00fc\u00dfe&c", "a=1+2&b", ""));
      List<Reading> readings = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        readings.add(one(random, List.of(Reading.values())));
      }
      return new Script(one(random, METHODS), one(random, TYPES), body, readings);
    }

    private static <T> T one(Random random, List<T> some) {
      return some.get(random.nextInt(some.size()));
    }

    /** Where servers depart from the specification, and the filter does not follow. */
    boolean isApart(Container container) {
      boolean sets = has(Reading.IN_UTF_8) || has(Reading.IN_LATIN_1);
      boolean isForm = type.startsWith(FORM);
      return switch (container) {
        case TOMCAT -> sets && has(Reading.ENCODING); // tells it though it is too late
        case JETTY ->
            (sets && isForm) // whose charset is that of the Content-Type alone
                || (has(Reading.INCLUDE)
                    && has(Reading.FORWARD_BY_THE_CONTEXT)); // keeps the former
        case UNDERTOW -> isForm && has(Reading.PARAMETER_OF_THE_QUERY); // leaves the form unread
      };
    }

    private boolean has(Reading reading) {
      return readings.contains(reading);
    }

    @Override
    public String toString() {
      return method + " " + type + " " + body + " " + readings;
    }
  }

  /** Reads what the script says, whose number is the path. */
  private static void read(HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    response.setContentType("text/plain;charset=UTF-8");
    Object included = request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI);
    if ("/view".equals(included == null ? request.getRequestURI() : included)) {
      response.getWriter().print("view " + Reading.map(request));
      return;
    }
    Script script = Script.of(Long.parseLong(request.getRequestURI().substring(1)));
    StringBuilder read = new StringBuilder();
    for (Reading reading : script.readings()) {
      try {
        read.append(' ').append(reading.step.read(request, response));
      } catch (IllegalStateException e) { // of a reader after a stream, and the other way round
        read.append(" refused");
      }
      if (reading == Reading.FORWARD || reading == Reading.FORWARD_BY_THE_CONTEXT) {
        break;
      }
    }
    response.getWriter().print(read);
    drain(request); // else Jetty ends the connection
  }

  private static void drain(HttpServletRequest request) throws Exception {
    try {
      request.getInputStream().readAllBytes();
    } catch (IllegalStateException e) {
      request.getReader().skip(Long.MAX_VALUE);
    }
  }

  @Test
  @DisplayName("in any order: parameters, text, bytes, in charsets of its own, and by dispatches")
  void asWithout() {
    Map<String, String> without = new TreeMap<>();
    Map<String, String> with = new TreeMap<>();
    try (Server plain = server(ReadsAsWithoutTest::read);
        Server filtered = server(ReadsAsWithoutTest::read, filter())) {
      for (long seed = 0; seed < SCRIPTS; seed++) {
        Script script = Script.of(seed);
        if (!script.isApart(container)) {
          without.put(seed + " " + script, ask(plain, seed, script));
          with.put(seed + " " + script, ask(filtered, seed, script));
        }
      }
    }
    with.entrySet().removeIf(answer -> without.remove(answer.getKey(), answer.getValue()));
    assertEquals(lines(without), lines(with));
  }

  private static String lines(Map<String, String> answers) {
    return answers.entrySet().stream().map(Object::toString).collect(Collectors.joining("\n"));
  }

  private static String ask(Server server, long seed, Script script) {
    var answer =
        server.send(
            server
                .post("/" + seed + "?a=q&z=%C3%BC", "")
                .setHeader("Content-Type", script.type())
                .header(KEY, "k" + seed)
                .method(script.method(), BodyPublishers.ofString(script.body())));
    return answer.statusCode() + " " + answer.body();
  }
}
