package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A servlet behind the filter that does several things answers as without it")
class ScriptsAsWithoutTest extends FilterScene {
  private static final int SCRIPTS = 1_000;

  private static final Set<Step> TYPES = EnumSet.of(Step.TYPE, Step.TYPE_AND_CHARSET, Step.CHARSET);
  private static final Set<Step> TEXTS = EnumSet.of(Step.TEXT, Step.UMLAUT, Step.CLOSE);
  private static final Set<Step> WRITES =
      EnumSet.of(Step.TEXT, Step.UMLAUT, Step.BYTES, Step.INCLUDE);
  private static final Set<Step> ERRORS =
      EnumSet.of(Step.ERROR, Step.ERROR_WITH_A_TEXT, Step.FORWARD_TO_ERROR);

  /** What a servlet may do with its response, after and before others. */
  enum Step {
    STATUS((request, response) -> response.setStatus(202)),
    TYPE((request, response) -> response.setContentType("text/plain")),
    TYPE_AND_CHARSET((request, response) -> response.setContentType("text/html;charset=UTF-8")),
    CHARSET((request, response) -> response.setCharacterEncoding("UTF-8")),
    TEXT((request, response) -> response.getWriter().print("text.")),
    UMLAUT((request, response) -> response.getWriter().print("\u00fc.")),
    BYTES((request, response) -> response.getOutputStream().print("bytes.")),
    HEADER((request, response) -> response.setHeader("ETag", "\"1\"")),
    ANOTHER_HEADER( // of another value each, as Tomcat tells equal ones once
        (request, response) ->
            response.addHeader("ETag", "\"" + (2 + response.getHeaders("ETag").size()) + "\"")),
    DATE((request, response) -> response.setDateHeader("Last-Modified", 0)),
    NUMBER((request, response) -> response.addIntHeader("X-Number", 7)),
    COOKIE((request, response) -> response.addCookie(new Cookie("a", "1"))),
    LOCALE((request, response) -> response.setLocale(Locale.forLanguageTag("de-CH"))),
    RESET_BUFFER((request, response) -> response.resetBuffer()),
    ERROR((request, response) -> response.sendError(404)),
    ERROR_WITH_A_TEXT((request, response) -> response.sendError(409, "no")),
    REDIRECT((request, response) -> response.sendRedirect("/elsewhere")),
    CLOSE((request, response) -> response.getWriter().close()),
    CLOSE_BYTES((request, response) -> response.getOutputStream().close()),
    FORWARD((request, response) -> dispatch(request, "/view").forward(request, response)),
    FORWARD_TO_ERROR(
        (request, response) -> dispatch(request, "/refuse").forward(request, response)),
    FORWARD_BY_THE_CONTEXT(
        (request, response) ->
            request.getServletContext().getRequestDispatcher("/view").forward(request, response)),
    INCLUDE((request, response) -> dispatch(request, "/view").include(request, response)),
    INCLUDE_AN_ERROR(
        (request, response) -> dispatch(request, "/refuse").include(request, response));

    @SuppressWarnings("ImmutableEnumChecker") // actions hold nothing
    private final Server.Action action;

    Step(Server.Action action) {
      this.action = action;
    }

    private static RequestDispatcher dispatch(HttpServletRequest request, String path) {
      return request.getRequestDispatcher(path);
    }
  }

  private static List<Step> script(long seed) {
    Random random = new Random(seed * 7919);
    List<Step> steps = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      steps.add(Step.values()[random.nextInt(Step.values().length)]);
    }
    return steps;
  }

  /** Does what the script says, whose number is the path, as far as the server lets it. */
  private static void answer(HttpServletRequest request, HttpServletResponse response)
      throws Exception {
    Object included = request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI);
    String path = String.valueOf(included == null ? request.getRequestURI() : included);
    if (path.equals("/view")) {
      response.setStatus(203);
      response.setHeader("ETag", "\"view\"");
      try {
        response.getWriter().print("view.");
      } catch (IllegalStateException e) { // as the stream is open
        response.getOutputStream().print("view.");
      }
    } else if (path.equals("/refuse")) {
      response.sendError(403, "not you");
    } else {
      request.getInputStream().readAllBytes(); // else Jetty ends the connection
      for (Step step : script(Long.parseLong(path.substring(1)))) {
        try {
          step.action.answer(request, response);
        } catch (IllegalStateException | IOException e) {
          // as the specification has it, and as servlets do that handle exceptions
        }
      }
    }
  }

  @Test
  @DisplayName("in any order, also once its response is sent")
  void asWithout() {
    Map<String, String> without = new TreeMap<>();
    Map<String, String> with = new TreeMap<>();
    try (Server plain = server(ScriptsAsWithoutTest::answer);
        Server filtered = server(ScriptsAsWithoutTest::answer, filter())) {
      for (long seed = 0; seed < SCRIPTS; seed++) {
        List<Step> script = script(seed);
        if (!isApart(script)) {
          without.put(seed + " " + script, AsWithoutTest.shown(ask(plain, seed), true));
          HttpResponse<String> first = ask(filtered, seed);
          with.put(seed + " " + script, AsWithoutTest.shown(first, true));
          HttpResponse<String> again = ask(filtered, seed);
          assertEquals(AsWithoutTest.shown(first, false), AsWithoutTest.shown(again, false));
        }
      }
    }
    with.entrySet().removeIf(answer -> without.remove(answer.getKey(), answer.getValue()));
    assertEquals(lines(without), lines(with));
  }

  /** Where servers depart from the specification, and the filter does not follow. */
  private boolean isApart(List<Step> script) {
    return switch (container) {
      case TOMCAT -> false;
      case JETTY ->
          has(script, WRITES, EnumSet.of(Step.FORWARD_BY_THE_CONTEXT)) // of which nobody is told
              || has(script, ERRORS, EnumSet.of(Step.COOKIE, Step.INCLUDE_AN_ERROR)) // count there
              || has(script, EnumSet.of(Step.BYTES), EnumSet.of(Step.INCLUDE)) // is sent at once
              || has(script, EnumSet.of(Step.REDIRECT), WRITES); // ends the connection
      case UNDERTOW ->
          has(script, ERRORS, EnumSet.allOf(Step.class)) // headers count there
              || has(script, EnumSet.of(Step.INCLUDE), TYPES) // a charset counts after text there
              || has(script, EnumSet.of(Step.BYTES, Step.CLOSE_BYTES), TEXTS); // likewise
    };
  }

  /** Whether one of some is behind one of others. */
  private static boolean has(List<Step> script, Set<Step> before, Set<Step> after) {
    int first =
        IntStream.range(0, script.size())
            .filter(i -> before.contains(script.get(i)))
            .findFirst()
            .orElse(script.size() - 1);
    return script.subList(first + 1, script.size()).stream().anyMatch(after::contains);
  }

  private static String lines(Map<String, String> answers) {
    return answers.entrySet().stream().map(Object::toString).collect(Collectors.joining("\n"));
  }

  private static HttpResponse<String> ask(Server server, long seed) {
    return server.send(server.post("/" + seed, "7").header(KEY, "k" + seed));
  }
}
