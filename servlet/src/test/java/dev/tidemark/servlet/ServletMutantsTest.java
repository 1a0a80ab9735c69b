package dev.tidemark.servlet;

import dev.tidemark.tck.SourceMutant;
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
        SourceMutant.of(
            "responses without a bound",
            "CapturedResponse",
            "length > mostBytes - body.size()",
            "length > Integer.MAX_VALUE - body.size()",
            StoredResponsesTest.class,
            "tooLarge"),
        SourceMutant.of(
            "a request that is carried out again since its response is too large",
            "Exchange",
            "response.replaceBy(Problem.RESPONSE_TOO_LARGE);",
            "throw new Unstored(null);",
            StoredResponsesTest.class,
            "tooLarge"),
        SourceMutant.of(
            "an asynchronous request that is carried out each time",
            "Exchange",
            "if (request.isExceeded()) {",
            "if (!begun) {",
            StoredResponsesTest.class,
            "asynchronous"),
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
            "locale"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(SourceMutant mutant, @TempDir Path folder) throws Exception {
    mutant.assertCaught(folder);
  }
}
