package dev.tidemark.spring;

import dev.tidemark.store.RecordStore;
import dev.tidemark.tck.MemoryRecordStore;
import dev.tidemark.tck.MovableClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;

/** Applications of Spring MVC with the filter of idempotency keys, on the servers that Boot has. */
final class Web {
  private static final AutoConfigurations MVC =
      AutoConfigurations.of(
          DispatcherServletAutoConfiguration.class,
          ErrorMvcAutoConfiguration.class,
          HttpMessageConvertersAutoConfiguration.class,
          JacksonAutoConfiguration.class,
          TidemarkFiltersAutoConfiguration.class,
          TidemarkRecordsAutoConfiguration.class,
          TidemarkServletAutoConfiguration.class,
          WebMvcAutoConfiguration.class);

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Web() {}

  /** On each server, with a filter of requests to {@code /payments/*}. */
  static List<WebApplicationContextRunner> everywhere() {
    return List.of(
        on(TomcatServletWebServerAutoConfiguration.class),
        on(JettyServletWebServerAutoConfiguration.class));
  }

  private static WebApplicationContextRunner on(Class<?> server) {
    return new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
        .withConfiguration(MVC)
        .withConfiguration(AutoConfigurations.of(server))
        .withBean(RecordStore.class, () -> new MemoryRecordStore(new MovableClock()))
        .withPropertyValues(
            "server.port=0",
            "tidemark.idempotency.enabled=true",
            "tidemark.idempotency.url-patterns=/payments/*");
  }

  /** With Spring Security as Boot sets it up. */
  static WebApplicationContextRunner secured(WebApplicationContextRunner runner) {
    return runner.withConfiguration(
        AutoConfigurations.of(
            SecurityAutoConfiguration.class,
            SecurityFilterAutoConfiguration.class,
            ServletWebSecurityAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class));
  }

  /** A request of JSON with a key. */
  static HttpRequest.Builder post(AssertableWebApplicationContext context, String path) {
    return keyless(context, path).header("Idempotency-Key", "\"k1\"");
  }

  /** A request of JSON without one. */
  static HttpRequest.Builder keyless(AssertableWebApplicationContext context, String path) {
    int port =
        Objects.requireNonNull(
                context
                    .getSourceApplicationContext(
                        AnnotationConfigServletWebServerApplicationContext.class)
                    .getWebServer())
            .getPort();
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("7"));
  }

  static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}
