package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.execution.Executions;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.servlet.IdempotencyFilter;
import dev.tidemark.store.RecordStore;
import dev.tidemark.tck.MemoryRecordStore;
import dev.tidemark.tck.MovableClock;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("The filter of idempotency keys")
class FilterBeansTest {
  private static final AutoConfigurations ALL =
      AutoConfigurations.of(
          TidemarkFiltersAutoConfiguration.class,
          TidemarkRecordsAutoConfiguration.class,
          TidemarkServletAutoConfiguration.class,
          TidemarkStoresAutoConfiguration.class);

  private static final WebApplicationContextRunner ENABLED =
      new WebApplicationContextRunner()
          .withConfiguration(ALL)
          .withPropertyValues("tidemark.idempotency.enabled=true");

  private final AtomicInteger effects = new AtomicInteger();

  private static WebApplicationContextRunner enabled() {
    return ENABLED
        .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
        .withPropertyValues(
            "tidemark.mongodb.database=records",
            "tidemark.executions.table=" + Servers.fresh("keys"),
            "tidemark.idempotency.url-patterns=/payments/*");
  }

  /** With a bean of the name by which Spring Security's filter is known. */
  private static WebApplicationContextRunner secured() {
    return enabled()
        .withBean(
            "springSecurityFilterChain",
            Filter.class,
            () -> (request, response, chain) -> chain.doFilter(request, response));
  }

  private MockHttpServletResponse pay(ApplicationContext context, @Nullable String user)
      throws IOException, ServletException {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/payments/1");
    request.addHeader("Idempotency-Key", "\"k1\"");
    if (user != null) {
      request.setUserPrincipal(() -> user);
    }
    MockHttpServletResponse response = new MockHttpServletResponse();
    Objects.requireNonNull(context.getBean(FilterRegistrationBean.class).getFilter())
        .doFilter(request, response, new MockFilterChain(new Created(effects)));
    return response;
  }

  private static void assertRefused(WebApplicationContextRunner runner, String action) {
    runner.run(
        context ->
            assertThat(
                    NestedExceptionUtils.getMostSpecificCause(
                        Objects.requireNonNull(context.getStartupFailure())))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining(action));
  }

  @Test
  @DisplayName("is not there unless the settings say so")
  void absent() {
    enabled()
        .withPropertyValues("tidemark.idempotency.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
  }

  @Test
  @DisplayName("runs a request once for its key, whoever sends it, where the settings say so")
  void sharedKeys() {
    enabled()
        .withPropertyValues("tidemark.idempotency.shared-keys=true")
        .run(
            context -> {
              FilterRegistrationBean<?> registration =
                  context.getBean(FilterRegistrationBean.class);
              assertThat(registration.getUrlPatterns()).containsExactly("/payments/*");
              assertThat(registration.getFilter()).isInstanceOf(IdempotencyFilter.class);
              assertThat(pay(context, "alice").getStatus()).isEqualTo(201);
              assertThat(pay(context, null).getStatus()).isEqualTo(201);
              assertThat(effects).hasValue(1);
            });
  }

  @Test
  @DisplayName("never gives one principal the response of another, and does nothing for nobody")
  void principals() {
    secured()
        .run(
            context -> {
              assertThat(pay(context, "alice").getContentAsString()).isEqualTo("payment 1");
              assertThat(pay(context, "bob").getContentAsString()).isEqualTo("payment 2");
              assertThat(pay(context, "alice").getContentAsString()).isEqualTo("payment 1");
              assertThat(pay(context, null).getStatus()).isEqualTo(401);
              assertThat(effects).hasValue(2);
            });
  }

  @Test
  @DisplayName("needs to know one client from another, or to be told that all share their keys")
  void clients() {
    assertRefused(enabled(), "tidemark.idempotency.shared-keys");
    enabled()
        .withBean(
            IdempotencyFilterCustomizer.class,
            () -> filter -> filter.tenant(request -> request.getHeader("X-Shop")))
        .run(context -> assertThat(pay(context, "alice").getStatus()).isEqualTo(401));
    secured().run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  @DisplayName("answers 503 where the store is away, and nothing is done")
  void away() {
    try (DynamoDbClient dynamoDb = dynamoDbAway();
        MongoClient mongo =
            MongoClients.create("mongodb://localhost:1/?serverSelectionTimeoutMS=50")) {
      for (RecordStore away :
          List.of(
              DynamoDbRecordStore.of(dynamoDb, "keys"),
              MongoRecordStore.of(mongo.getDatabase("away").getCollection("keys")))) {
        ENABLED
            .withBean(RecordStore.class, () -> away)
            .withPropertyValues(
                "tidemark.idempotency.url-patterns=/payments/*",
                "tidemark.idempotency.shared-keys=true")
            .run(
                context -> {
                  MockHttpServletResponse response = pay(context, null);
                  assertThat(response.getStatus()).isEqualTo(503);
                  assertThat(response.getContentType()).isEqualTo("application/problem+json");
                  assertThat(response.getHeader("Retry-After")).isEqualTo("1");
                });
      }
      assertThat(effects).hasValue(0);
    }
  }

  /** Of a port at which nobody listens. */
  private static DynamoDbClient dynamoDbAway() {
    return DynamoDbClient.builder()
        .endpointOverride(URI.create("http://localhost:1"))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
        .build();
  }

  @Test
  @DisplayName("has a scope of its own, which no executions use")
  void scopes() {
    assertRefused(
        secured().withPropertyValues("tidemark.executions.scope=http"),
        "tidemark.idempotency.scope");
    secured()
        .withPropertyValues("tidemark.executions.scope=mails")
        .run(context -> assertThat(pay(context, "alice").getStatus()).isEqualTo(201));
  }

  @Test
  @DisplayName("of the application's own has a scope of its own, too")
  void ownScopes() {
    Executions executions = executions("http");
    WebApplicationContextRunner one =
        new WebApplicationContextRunner()
            .withConfiguration(ALL)
            .withBean("first", IdempotencyFilter.class, () -> shared(executions))
            .withUserConfiguration(Registered.class); // which is no second one
    one.withBean(Executions.class, () -> executions)
        .run(context -> assertThat(context).hasNotFailed());
    one.withBean(Executions.class, () -> executions("mails"))
        .withBean("second", IdempotencyFilter.class, () -> shared(executions("refunds")))
        .run(context -> assertThat(context).hasNotFailed());
    for (WebApplicationContextRunner two :
        List.of(
            one.withBean("second", IdempotencyFilter.class, () -> shared(executions("http"))),
            one.withBean("second", IdempotencyFilter.class, () -> shared(executions)),
            one.withBean(
                "second",
                FilterRegistrationBean.class,
                () -> new FilterRegistrationBean<>(shared(executions("http")))),
            one.withBean(Executions.class, () -> executions("http")))) {
      assertRefused(two, "have one scope, 'http'");
      assertRefused(two.withPropertyValues("spring.main.lazy-initialization=true"), "'http'");
    }
  }

  private static Executions executions(String scope) {
    return Executions.of(scope, new MemoryRecordStore(new MovableClock()));
  }

  private static IdempotencyFilter shared(Executions executions) {
    return IdempotencyFilter.builder(executions).sharedKeys().build();
  }

  @Configuration(proxyBeanMethods = false)
  static class Registered {
    @Bean
    FilterRegistrationBean<IdempotencyFilter> registered(
        @Qualifier("first") IdempotencyFilter first) {
      return new FilterRegistrationBean<>(first);
    }
  }

  @Test
  @DisplayName("needs to be told its requests")
  void patterns() {
    for (String none : List.of("", " ")) {
      assertRefused(
          secured().withPropertyValues("tidemark.idempotency.url-patterns=" + none),
          "Set tidemark.idempotency.url-patterns");
    }
  }

  @Test
  @DisplayName("refuses what servers take for no pattern, of the settings and of a registration")
  void otherPatterns() {
    for (String pattern :
        List.of("/payments/**", "/payments/{id}", "/**", "/payments*", "payments/*", "*", "/")) {
      assertRefused(
          secured().withPropertyValues("tidemark.idempotency.url-patterns=/refunds," + pattern),
          "the URL pattern '" + pattern + "'");
      var own = new FilterRegistrationBean<>(shared(executions("refunds")));
      own.addUrlPatterns(pattern);
      assertRefused(
          new WebApplicationContextRunner()
              .withConfiguration(ALL)
              .withBean(FilterRegistrationBean.class, () -> own),
          "the URL pattern '" + pattern + "'");
    }
  }

  @Test
  @DisplayName("takes the patterns of servlets")
  void servletPatterns() {
    secured()
        .withPropertyValues("tidemark.idempotency.url-patterns=/*,/payments,/a/b/*,*.pay")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Configuration(proxyBeanMethods = false)
  static class OfRequests {
    @Bean
    @Scope("request")
    Executions ofRequest() {
      throw new IllegalStateException("there is no request");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Lazily {
    @Bean
    @Lazy
    Executions lazily() {
      throw new IllegalStateException("nobody has asked for it");
    }
  }

  @Test
  @DisplayName("asks for no executions of requests, and without a filter for none at all")
  void executionsOfOthers() {
    secured()
        .withUserConfiguration(OfRequests.class)
        .run(context -> assertThat(context).hasNotFailed());
    enabled()
        .withPropertyValues("tidemark.idempotency.enabled=false")
        .withUserConfiguration(OfRequests.class, Lazily.class)
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  @DisplayName("has the scope of its application, which shares a table with others")
  void applications() {
    WebApplicationContextRunner shared = secured();
    for (String name : List.of("pay", "refund", "pay")) {
      shared
          .withPropertyValues("spring.application.name=" + name)
          .run(context -> assertThat(pay(context, "alice").getStatus()).isEqualTo(201));
    }
    assertThat(effects).hasValue(2);
  }

  @Test
  @DisplayName("needs records, and says what to do without them")
  void filterWithoutRecords() {
    ENABLED.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("Set tidemark.executions.table"));
  }

  @Test
  @DisplayName("needs its module, and says so without it")
  void filterWithoutModule() {
    for (String lazy : List.of("false", "true")) {
      ENABLED
          .withClassLoader(new FilteredClassLoader(IdempotencyFilter.class))
          .withPropertyValues("spring.main.lazy-initialization=" + lazy)
          .run(
              context ->
                  assertThat(context.getStartupFailure())
                      .rootCause()
                      .isInstanceOf(SetupException.class)
                      .hasMessageContaining("Add tidemark-servlet"));
    }
  }

  @Test
  @DisplayName("is for servlets, and a reactive application that wants it is told so")
  void reactive() {
    new ReactiveWebApplicationContextRunner()
        .withConfiguration(ALL)
        .withPropertyValues("tidemark.idempotency.enabled=true")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("this application is reactive"));
  }

  @Test
  @DisplayName("is left to an application that has one, or registers one, of its own")
  void ownFilter() {
    MongoRecordStore records =
        MongoRecordStore.of(
            Servers.mongo().getDatabase("records").getCollection(Servers.fresh("keys")));
    IdempotencyFilter own =
        IdempotencyFilter.builder(Executions.of("http", records)).sharedKeys().build();
    WebApplicationContextRunner enabled = ENABLED.withBean(RecordStore.class, () -> records);
    enabled
        .withBean(IdempotencyFilter.class, () -> own)
        .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    enabled
        .withUserConfiguration(OwnRegistration.class)
        .withBean(OwnRegistration.Own.class, () -> new OwnRegistration.Own(own))
        .run(context -> assertThat(context).hasSingleBean(FilterRegistrationBean.class));
    WebApplicationContextRunner patterns =
        enabled.withPropertyValues("tidemark.idempotency.url-patterns=/payments/*");
    assertRefused(
        patterns.withBean("refunds", IdempotencyFilter.class, () -> own),
        "url-patterns is set, and has no effect: it is for the filter in whose place the application has a bean of its own, refunds.");
    assertRefused(
        patterns
            .withUserConfiguration(OwnRegistration.class)
            .withBean(OwnRegistration.Own.class, () -> new OwnRegistration.Own(own))
            .withPropertyValues("spring.main.lazy-initialization=true"),
        "a bean of its own, registration.");
    for (String setting : List.of("shared-keys", "scope")) {
      assertRefused(
          enabled
              .withBean("refunds", IdempotencyFilter.class, () -> own)
              .withPropertyValues("tidemark.idempotency." + setting + "=true"),
          setting + " is set, and has no effect");
    }
    IdempotencyFilterCustomizer tenants = filter -> filter.tenant(request -> "t");
    assertRefused(
        enabled
            .withBean("refunds", IdempotencyFilter.class, () -> own)
            .withBean("tenants", IdempotencyFilterCustomizer.class, () -> tenants)
            .withBean("others", IdempotencyFilterCustomizer.class, () -> tenants),
        "IdempotencyFilterCustomizer (tenants, others) is set, and has no effect: it is for the filter in whose place the application has a bean of its own, refunds.");
  }

  @Test
  @DisplayName("may have aspects around its registration")
  void aspects() {
    Pointcut registrations =
        new ComposablePointcut(new RootClassFilter(FilterRegistrationBean.class));
    MethodInterceptor aspect = MethodInvocation::proceed;
    secured()
        .withBean(
            DefaultAdvisorAutoProxyCreator.class,
            DefaultAdvisorAutoProxyCreator::new,
            bean -> bean.getPropertyValues().add("proxyTargetClass", true))
        .withBean(Advisor.class, () -> new DefaultPointcutAdvisor(registrations, aspect))
        .run(
            context -> {
              assertThat(AopUtils.isCglibProxy(context.getBean(FilterRegistrationBean.class)))
                  .isTrue();
              assertThat(pay(context, "alice").getStatus()).isEqualTo(201);
            });
  }

  @Test
  @DisplayName("is missed where a bean of the application's own has its name")
  void nameOfItsOwn() {
    IdempotencyFilter own = shared(executions("refunds"));
    String name = "tidemarkIdempotencyFilter";
    WebApplicationContextRunner enabled =
        ENABLED
            .withBean(RecordStore.class, () -> new MemoryRecordStore(new MovableClock()))
            .withBean(OwnRegistration.Own.class, () -> new OwnRegistration.Own(own));
    WebApplicationContextRunner patterns =
        enabled.withPropertyValues("tidemark.idempotency.url-patterns=/payments/*");
    String refusal =
        "url-patterns is set, and has no effect: it is for the filter in whose place the application has a bean of its own, "
            + name
            + ".";
    assertRefused(patterns.withBean(name, IdempotencyFilter.class, () -> own), refusal);
    assertRefused(patterns.withUserConfiguration(NamedRegistration.class), refusal);
    Supplier<FilterRegistrationBean<?>> other =
        () -> new FilterRegistrationBean<>((request, response, chain) -> {});
    for (WebApplicationContextRunner each : List.of(patterns, enabled)) {
      assertRefused(
          each.withAllowBeanDefinitionOverriding(true) // else Spring refuses it
              .withBean(name, FilterRegistrationBean.class, other::get),
          each == patterns ? refusal : "enabled is set, and has no effect");
    }
    enabled
        .withUserConfiguration(NamedRegistration.class)
        .run(context -> assertThat(context).hasSingleBean(FilterRegistrationBean.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class NamedRegistration {
    @Bean
    FilterRegistrationBean<IdempotencyFilter> tidemarkIdempotencyFilter(OwnRegistration.Own own) {
      return new FilterRegistrationBean<>(own.filter());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnRegistration {
    record Own(IdempotencyFilter filter) {}

    @Bean
    FilterRegistrationBean<IdempotencyFilter> registration(Own own) {
      return new FilterRegistrationBean<>(own.filter());
    }
  }

  private static final class Created extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient AtomicInteger effects;

    Created(AtomicInteger effects) {
      this.effects = effects;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setStatus(201);
      response.getWriter().print("payment " + effects.incrementAndGet());
    }
  }
}
