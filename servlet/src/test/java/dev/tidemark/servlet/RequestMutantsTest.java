package dev.tidemark.servlet;

import dev.tidemark.mutants.SourceMutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters that take requests for others than they are: sources with a few words replaced. */
@DisplayName("The tests of requests catch")
final class RequestMutantsTest {
  static List<SourceMutant> mutants() {
    return List.of(
        SourceMutant.of(
            "a body without a length that was read before",
            "BufferedRequest",
            "|| request.getHeader(\"Transfer-Encoding\") != null",
            "",
            ReadBeforeTest.class,
            "all"),
        SourceMutant.of(
            "a form that was read before as a stream",
            "BufferedRequest",
            "isForm(request) && hasFields(request)",
            "isForm(request)",
            ReadBeforeTest.class,
            "all"),
        SourceMutant.of(
            "a form that is refused since it was read before as parameters",
            "BufferedRequest",
            "isForm(request) && hasFields(request)",
            "body.length < 0",
            ReadBeforeTest.class,
            "parameters"),
        SourceMutant.of(
            "a body of which a part was read before",
            "BufferedRequest",
            "body.length < request.getContentLengthLong()",
            "body.length == 0",
            ReadBeforeTest.class,
            "part"),
        SourceMutant.of(
            "a filter's stream that is refused since it is shorter than the server's",
            "Vendor",
            "&& stream.getClass().getName().startsWith(classes)",
            "",
            ReadBeforeTest.class,
            "unzipped"),
        SourceMutant.of(
            "a servlet that is told that it can go on asynchronously where it cannot",
            "BufferedRequest",
            "boolean supported = super.isAsyncSupported();",
            "boolean supported = true;",
            StoredResponsesTest.class,
            "synchronous"),
        SourceMutant.of(
            "a servlet that acts each time since it cannot go on asynchronously",
            "BufferedRequest",
            "exceeded |= !supported;",
            "",
            StoredResponsesTest.class,
            "synchronous"),
        SourceMutant.of(
            "a malformed query that is refused though nobody asks for parameters",
            "BufferedRequest",
            "malformed = e;",
            "throw e;",
            MalformedFormsTest.class,
            "query"),
        SourceMutant.of(
            "a malformed query of which what is left is given",
            "BufferedRequest",
            "malformed = e;",
            "",
            MalformedFormsTest.class,
            "query"),
        SourceMutant.of(
            "a form in an unknown charset that is not read on Tomcat",
            "Vendor",
            "case TOMCAT -> Form.of(body, charsetOfForms());",
            "case TOMCAT -> Form.NONE;",
            MalformedFormsTest.class,
            "charset"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
