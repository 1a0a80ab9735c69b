package dev.tidemark.servlet;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters that act twice, or answer the wrong client: sources with a few words replaced. */
@DisplayName("The tests of the module for servlets catch")
final class ServletMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "keys that all clients share unasked",
            "IdempotencyFilter",
            "if (tenant == null && !shared) {",
            "if (maxBodyBytes < 0) {",
            IdempotencyFilterTest.class,
            "tenantOrShared"),
        SourceMutant.of(
            "a request of nobody that is carried out",
            "IdempotencyFilter",
            "return name == null || name.isEmpty() ? null :",
            "return name == null || name.isEmpty() ? key :",
            IdempotencyFilterTest.class,
            "tenants"),
        stored(
            "responses without a bound",
            "CapturedResponse",
            "length > mostBytes - body.size()",
            "length > Integer.MAX_VALUE - body.size()",
            "tooLarge"),
        stored(
            "responses that the mapper of the executions cannot read",
            "StoredResponse",
            "    implements MapperIndependent {",
            "{",
            "strictMappers"),
        SourceMutant.of(
            "an encoding of the first answer that a filter before has given it",
            "ReplayedHeaders",
            "if (response.hasSet(name) && !values.isEmpty()) {",
            "if (!values.isEmpty()) {",
            IdempotencyFilterTest.class,
            "encodings"),
        SourceMutant.of(
            "a refusal before a body that the connection still brings",
            "Problem",
            "if (!BufferedRequest.drain(request, maxBodyBytes)",
            "if (request.getContentLengthLong() > maxBodyBytes",
            Everywhere.class,
            "connections"),
        stored(
            "a bound of responses beyond what is stored",
            "StoredResponse",
            "if (most > room) {",
            "if (most < 0) {",
            "bounds"),
        stored(
            "a bound of responses that forgets their Base64",
            "StoredResponse",
            "Math.max(0, text - REST) / 4 * 3;",
            "Math.max(0, text - REST);",
            "bounds"),
        stored(
            "a bound of responses below the filter's own answers",
            "StoredResponse",
            "if (room < LEAST) {",
            "if (room < 0) {",
            "shortTexts"),
        stored(
            "a request that is carried out again since its response is too large",
            "Exchange",
            "response.replaceBy(Problem.RESPONSE_TOO_LARGE);",
            "throw new Unstored(null);",
            "tooLarge"),
        stored(
            "a response that asks to come again, and is stored since it is too large",
            "Exchange",
            "if (!stored.test(response.getStatus()) && !(isTooLarge && isGood)) {",
            "if (!isTooLarge && !stored.test(response.getStatus())) {",
            "tooLargeNotStored"),
        stored(
            "a response without a body that cannot be replayed",
            "StoredResponse",
            "body = Objects.requireNonNullElse(body, \"\");",
            "",
            "earlier"),
        stored(
            "a response without headers that cannot be replayed",
            "StoredResponse",
            "headers = Objects.requireNonNullElse(headers, Map.of());",
            "",
            "earlier"),
        stored(
            "an asynchronous request that is carried out each time",
            "Exchange",
            "if (request.isExceeded()) {",
            "if (!begun) {",
            "asynchronous"),
        stored(
            "an asynchronous request whose refusal is stored",
            "Exchange",
            "if (request.getAttribute(ASYNCHRONOUS) != null) {",
            "if (request.getAttribute(ASYNCHRONOUS) == response) {",
            "refusedAsynchronous"),
        SourceMutant.of(
            "a multipart request that begins",
            "IdempotencyFilter",
            "if (BufferedRequest.isMultipart(request)) {",
            "if (maxBodyBytes < 0) {",
            RefusedRequestsTest.class,
            "multipart"),
        SourceMutant.of(
            "a language that is not replayed",
            "CapturedResponse",
            "super.setHeader(\"Content-Language\", locale.toLanguageTag());",
            "",
            CapturedTest.class,
            "locale"),
        SourceMutant.of(
            "a replay that is longer than the answer was",
            "CapturedResponse",
            "length() < 0 || length() > all.length",
            "length() < all.length",
            CapturedTest.class,
            "length"),
        SourceMutant.of(
            "a text that is cut at a length that was taken back",
            "SentResponse",
            "Long.parseLong(value) : -1",
            "Long.parseLong(value) : length",
            CapturedTest.class,
            "lengths"),
        SourceMutant.of(
            "a text that is cut at a length of which a server is reminded by a reset",
            "SentResponse",
            "super.setContentLengthLong(-1); // which Undertow would keep",
            "",
            Everywhere.class,
            "resets"),
        SourceMutant.of(
            "a header before the filter that is stored as an included resource has set it",
            "SentResponse",
            "if (!isIncluded()) {",
            "if (length < 0) {",
            IdempotencyFilterTest.class,
            "languages"),
        SourceMutant.of(
            "a header before the filter that is stored as nothing was added to it",
            "SentResponse",
            "if (value != null) { // which servers ignore",
            "if (name != null) {",
            IdempotencyFilterTest.class,
            "languages"),
        redirects(
            "a redirect that filters in front do not see",
            "CapturedResponse",
            "} else if (redirect != null) {",
            "} else if (redirect != null && mostBytes < 0) {"),
        redirects(
            "a replayed redirect that filters in front do not see",
            "StoredResponse",
            "if (redirect != null) {",
            "if (redirect != null && error) {"),
        redirects(
            "a redirect below a prefix that only its forward has",
            "Vendor",
            "segments.removeIf(String::isEmpty);\n    String whole = \"/\" +",
            "segments.removeIf(String::isEmpty);\n    String whole = \"./\" +"),
        redirects(
            "a redirect whose location is there before a filter in front makes it",
            "CapturedResponse",
            "redirect = from;\n    } else {",
            "redirect = from;\n    }\n    if (from != null) {"),
        made(
            "a location that is an error since a filter in front refuses it",
            "StoredResponse",
            "if (response.isCommitted()) {",
            "if (response != null) {",
            "refused"),
        made(
            "a redirect to nowhere that is stored",
            "CapturedResponse",
            "if (location == null) {",
            "if (location == null && closed) {",
            "nowhere"),
        made(
            "a status that a filter in front is told though nobody has set it",
            "CapturedResponse",
            "ends && client.getStatus() != statusBefore",
            "ends",
            "unset"),
        SourceMutant.of(
            "a first answer that is broken off where its body is short",
            "CapturedResponse",
            "length() > body.size()",
            "length() < 0",
            CapturedTest.class,
            "lengthOfMore"),
        SourceMutant.of(
            "a page of an error that is as long as the servlet's text",
            "CapturedResponse",
            "ends ? length() >= 0",
            "ends ? length() < 0",
            CapturedTest.class,
            "lengthOfMore"),
        made(
            "a status before a redirect that a replay does not have",
            "CapturedResponse",
            "      client.setStatus(statusBefore);\n",
            "",
            "status"),
        made(
            "a redirect that filters behind do not see",
            "SentResponse",
            "LOCATION.equalsIgnoreCase(name) ? redirect() : null",
            "LOCATION == name ? null : null",
            "seen"),
        SourceMutant.of(
            "a path whose dots lead elsewhere than on Undertow",
            "Vendor",
            "} else if (!segment.equals(\".\")) {",
            "} else if (!segment.equals(\".\") && !segment.isEmpty()) {",
            VendorTest.class,
            "canonical"),
        redirects(
            "a redirect that has forgotten where its forward was",
            "Vendor",
            "if (this != UNDERTOW ||",
            "if (this != OTHER ||"),
        everywhere(
            "a charset that the text is not in, by a header",
            "SentResponse",
            "if (CONTENT_TYPE.equalsIgnoreCase(name)) {",
            "if (name == CONTENT_LENGTH) {"),
        everywhere(
            "a replay with a content type that a reset has taken away",
            "CapturedResponse",
            "Vendor.of(request) == Vendor.UNDERTOW\n        ? client.getHeader(CONTENT_TYPE)\n        : getContentType()",
            "getContentType()"),
        everywhere(
            "a page that is as long as a resource which it includes",
            "SentResponse",
            "if (!isCommitted() && !isIncluded()) {",
            "if (!isCommitted()) {"),
        everywhere(
            "a response that only Tomcat can do with",
            "CapturedResponse",
            "Vendor.of(request) == Vendor.TOMCAT ? opaque(client) : client",
            "opaque(client)"),
        everywhere(
            "a response that Tomcat closes after a forward",
            "CapturedResponse",
            "Vendor.of(request) == Vendor.TOMCAT ? opaque(client) : client",
            "client"),
        everywhere(
            "a Tomcat that is not seen behind another filter's request",
            "Vendor",
            "ServletContext made = request.getServletContext();",
            "Object made = request;"),
        everywhere(
            "what was written before a forward",
            "BufferedRequest",
            "CapturedResponse.reopen(response);",
            ""),
        everywhere(
            "text before an included forward that is kept as far as it was flushed",
            "CapturedResponse",
            "captured.resetBuffer();",
            ""),
        SourceMutant.of(
            "text before a forward on a server that is not known",
            "CapturedResponse",
            "|| vendor == Vendor.OTHER",
            "",
            CapturedTest.class,
            "forwardOfUnknown"),
        everywhere(
            "the writer of what was before a forward",
            "CapturedResponse",
            "captured.writer = null;",
            ""),
        everywhere(
            "an error of an included resource in place of the page",
            "CapturedResponse",
            "case INCLUDE -> true;",
            "case INCLUDE -> false;"),
        everywhere(
            "an error of what an included resource forwards to in place of the page",
            "CapturedResponse",
            "case FORWARD -> Vendor.of(request).includes(getResponse());",
            "case FORWARD -> false;"),
        everywhere(
            "an error of what a page forwards to that is taken for that of an included resource",
            "CapturedResponse",
            "case FORWARD -> Vendor.of(request).includes(getResponse());",
            "case FORWARD -> true;"),
        everywhere(
            "an error that is lost where a filter in front of Tomcat's servlet changes a status",
            "Vendor",
            "return this == TOMCAT\n",
            "return this == OTHER\n"),
        everywhere(
            "an error that is lost where a filter in front of a servlet changes a status",
            "Vendor",
            "(HttpServletResponse) innermost(response)",
            "(HttpServletResponse) response"),
        everywhere(
            "a status that is lost as it is asked whether it can be set",
            "Vendor",
            "    server.setStatus(status);\n",
            ""),
        everywhere(
            "a problem in the charset of the response that it replaces",
            "CapturedResponse",
            "client.setCharacterEncoding((String) null); // which Undertow would keep",
            ""),
        SourceMutant.of(
            "a key that each session has anew",
            "BufferedRequest",
            "SESSION.matcher(getRequestURI()).replaceAll(\"\")",
            "getRequestURI()",
            IdempotencyFilterTest.class,
            "sessions"),
        SourceMutant.of(
            "a form of which the servlet finds the query alone",
            "BufferedRequest",
            "!isForm(this) ||",
            "isForm(this) ||",
            CapturedTest.class,
            "forms"),
        SourceMutant.of(
            "a form that is cut",
            "Form",
            ".split(\"&\", -1)",
            ".split(\"&\", 10_000)",
            CapturedTest.class,
            "longForm"),
        scripts(
            "a replayed error without its content type",
            "StoredResponse",
            "if (contentType != null) {",
            "if (contentType != null && !error) {"),
        scripts(
            "headers of a response that was sent",
            "SentResponse",
            "if (!isCommitted()) {",
            "if (getStatus() > 0) {"),
        scripts(
            "a response that goes on after a forward",
            "CapturedResponse",
            "    public void close() {\n      closed = true;",
            "    public void close() {"),
        reads(
            "a form in the charset of another server",
            "Vendor",
            "return this == JETTY ? UTF_8 : ISO_8859_1;",
            "return UTF_8;"),
        reads(
            "a form whose bytes are not in its charset",
            "Form",
            "new String(URLDecoder.decode(text, ISO_8859_1).getBytes(ISO_8859_1), charset)",
            "URLDecoder.decode(text, charset)"),
        reads(
            "a form that is not read in requests of its method",
            "Vendor",
            "case UNDERTOW -> true;",
            "case UNDERTOW -> method.equals(\"POST\");"),
        reads(
            "a charset that a server no longer takes",
            "BufferedRequest",
            "encoding = charset(name).name();",
            ""),
        reads(
            "a body that is read as a form and again",
            "BufferedRequest",
            "return form == null ? body : new byte[0];",
            "return body;"),
        reads(
            "parameters of a forward that are those before it",
            "BufferedRequest",
            "String[] values = super.getParameterValues(name);",
            "if (getAttribute(name) == null) setAttribute(name, super.getParameterValues(name));"
                + "String[] values = (String[]) getAttribute(name);"));
  }

  private static SourceMutant stored(
      String name, String type, String sound, String wrong, String test) {
    return SourceMutant.of(name, type, sound, wrong, StoredResponsesTest.class, test);
  }

  private static SourceMutant reads(String name, String type, String sound, String wrong) {
    return SourceMutant.of(name, type, sound, wrong, Everywhere.class, "reads");
  }

  private static SourceMutant scripts(String name, String type, String sound, String wrong) {
    return SourceMutant.of(name, type, sound, wrong, Everywhere.class, "scripts");
  }

  private static SourceMutant made(
      String name, String type, String sound, String wrong, String test) {
    return SourceMutant.of(name, type, sound, wrong, RedirectsTest.class, test);
  }

  private static SourceMutant redirects(String name, String type, String sound, String wrong) {
    return SourceMutant.of(name, type, sound, wrong, Everywhere.class, "redirects");
  }

  private static SourceMutant everywhere(String name, String type, String sound, String wrong) {
    return SourceMutant.of(name, type, sound, wrong, Everywhere.class, "dispatches");
  }

  /** What mutants of one server need, whose tests take nothing. */
  static final class Everywhere {
    void dispatches() {
      for (Container container : Container.values()) {
        for (var doing :
            List.of(
                Doing.FORWARD,
                Doing.FORWARD_BEHIND_TEXT,
                Doing.INCLUDE_OF_A_FORWARD_BEHIND_MUCH_TEXT,
                Doing.TYPE_BY_A_HEADER,
                Doing.RESET_OF_A_TYPE,
                Doing.INCLUDE_OF_A_LENGTH,
                Doing.INCLUDE_OF_AN_ERROR,
                Doing.INCLUDE_BY_NAME_OF_A_LENGTH,
                Doing.INCLUDE_OF_A_FORWARD_TO_AN_ERROR,
                Doing.FORWARD_TO_AN_ERROR,
                Doing.FORWARD_BEHIND_A_STATUS)) {
          AsWithoutTest behind = new AsWithoutTest();
          behind.container = container;
          behind.wrapped(doing);
        }
        AsWithoutTest mapped = new AsWithoutTest();
        mapped.container = container;
        mapped.mapped(Doing.FORWARD_TO_AN_ERROR);
        StoredResponsesTest stored = new StoredResponsesTest();
        stored.container = container;
        stored.tooLarge();
      }
    }

    void resets() {
      CapturedTest captured = new CapturedTest();
      captured.container = Container.UNDERTOW;
      captured.lengthBeforeReset();
    }

    void redirects() {
      for (Container container : Container.values()) {
        AsWithoutTest behind = new AsWithoutTest();
        behind.container = container;
        behind.redirected(Doing.REDIRECT_TO_A_QUERY);
        AsWithoutTest forwarded = new AsWithoutTest();
        forwarded.container = container;
        forwarded.asWithout(Doing.REDIRECT_IN_A_FORWARD);
        AsWithoutTest pages = new AsWithoutTest();
        pages.container = container;
        pages.pages(Doing.REDIRECT);
      }
      AsWithoutTest prefixed = new AsWithoutTest();
      prefixed.container = Container.UNDERTOW; // where a forward counts
      prefixed.prefixed(Doing.REDIRECT_IN_A_FORWARD);
    }

    void reads() {
      for (Container container : Container.values()) {
        ReadsAsWithoutTest behind = new ReadsAsWithoutTest();
        behind.container = container;
        behind.asWithout();
      }
    }

    void connections() throws Exception {
      RefusedRequestsTest refused = new RefusedRequestsTest();
      refused.container = Container.JETTY; // the others read what is left by themselves
      refused.patience = 2_000; // which a wrong answer does not take
      refused.connections();
    }

    void scripts() {
      for (Container container : Container.values()) {
        ScriptsAsWithoutTest behind = new ScriptsAsWithoutTest();
        behind.container = container;
        behind.asWithout();
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
