package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.client.MongoClient;
import dev.tidemark.dynamodb.DynamoDbExecutionRecords;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.execution.Executions;
import dev.tidemark.mongodb.MongoExecutionRecords;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.servlet.IdempotencyFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("Records of executions and inboxes")
class RecordsTest {
  private static final AutoConfigurations ALL =
      AutoConfigurations.of(
          TidemarkRecordsAutoConfiguration.class,
          TidemarkServletAutoConfiguration.class,
          TidemarkStoresAutoConfiguration.class);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(ALL)
          .withPropertyValues("tidemark.mongodb.database=records");

  private static ApplicationContextRunner withMongo(ApplicationContextRunner runner) {
    return runner.withBean(
        MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""));
  }

  private static ApplicationContextRunner withDynamoDb(ApplicationContextRunner runner) {
    return runner.withBean(
        DynamoDbClient.class, Servers::dynamoDb, bean -> bean.setDestroyMethodName(""));
  }

  @Test
  @DisplayName("are not there unless a property names their table")
  void absent() {
    withMongo(withDynamoDb(runner))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(ExecutionRecords.class)
                    .doesNotHaveBean(Executions.class)
                    .doesNotHaveBean(MongoInbox.class)
                    .doesNotHaveBean(DynamoDbInbox.class));
  }

  @Test
  @DisplayName("are in the store that there is a client of, or that the settings say")
  void stores() {
    ApplicationContextRunner named = runner.withPropertyValues("tidemark.executions.table=keys");
    withMongo(named).run(context -> assertThat(context).hasSingleBean(MongoExecutionRecords.class));
    withDynamoDb(named)
        .run(context -> assertThat(context).hasSingleBean(DynamoDbExecutionRecords.class));
    withMongo(withDynamoDb(named))
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("Say which: tidemark.executions.store"));
    withMongo(withDynamoDb(named))
        .withPropertyValues("tidemark.executions.store=mongodb")
        .run(context -> assertThat(context).hasSingleBean(MongoExecutionRecords.class));
    named.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("there is no client of its store"));
  }

  @Test
  @DisplayName("give executions of a scope, which tell listeners and are set up by customizers")
  void executions() {
    List<String> told = new ArrayList<>();
    withMongo(runner)
        .withPropertyValues(
            "tidemark.executions.table=" + Servers.fresh("keys"), "tidemark.executions.scope=mails")
        .withBean(ExecutionsCustomizer.class, () -> (scope, builder) -> told.add(scope))
        .withBean(ExecutionListener.class, () -> event -> told.add(event.kind().name()))
        .run(
            context -> {
              Executions executions = context.getBean(Executions.class);
              AtomicInteger effects = new AtomicInteger();
              for (int i = 0; i < 2; i++) {
                var unused =
                    executions.run("k", "request", Integer.class, s -> effects.incrementAndGet());
              }
              assertThat(effects).hasValue(1);
              assertThat(told).contains("mails", "REPLAYED");
            });
  }

  @Test
  @DisplayName("give an inbox of each store that there is a client of")
  void inboxes() {
    ApplicationContextRunner both = withMongo(withDynamoDb(runner));
    both.withPropertyValues("tidemark.inbox.table=inbox", "tidemark.inbox.subscriber=mails")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(MongoInbox.class)
                    .hasSingleBean(DynamoDbInbox.class));
    both.withPropertyValues("tidemark.inbox.table=inbox")
        .run(
            context ->
                assertThat(catchThrowable(() -> context.getBean(MongoInbox.class)))
                    .rootCause()
                    .hasMessageContaining("tidemark.inbox.subscriber is missing"));
  }

  @Test
  @DisplayName("give a filter that runs a request once for its key, where the settings say so")
  void filter() {
    WebApplicationContextRunner web =
        new WebApplicationContextRunner()
            .withConfiguration(ALL)
            .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
            .withPropertyValues(
                "tidemark.mongodb.database=records",
                "tidemark.executions.table=" + Servers.fresh("keys"),
                "tidemark.idempotency.url-patterns=/payments/*");
    web.run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    web.withPropertyValues("tidemark.idempotency.enabled=true")
        .run(
            context -> {
              FilterRegistrationBean<?> registration =
                  context.getBean(FilterRegistrationBean.class);
              assertThat(registration.getUrlPatterns()).containsExactly("/payments/*");
              assertThat(registration.getFilter()).isInstanceOf(IdempotencyFilter.class);
              List<Integer> statuses = new ArrayList<>();
              AtomicInteger effects = new AtomicInteger();
              for (int i = 0; i < 2; i++) {
                MockHttpServletRequest request = new MockHttpServletRequest("POST", "/payments/1");
                request.addHeader("Idempotency-Key", "\"k1\"");
                MockHttpServletResponse response = new MockHttpServletResponse();
                Objects.requireNonNull(registration.getFilter())
                    .doFilter(request, response, new MockFilterChain(new Created(effects)));
                statuses.add(response.getStatus());
              }
              assertThat(statuses).containsExactly(201, 201);
              assertThat(effects).hasValue(1);
            });
  }

  private static final WebApplicationContextRunner ENABLED =
      new WebApplicationContextRunner()
          .withConfiguration(ALL)
          .withPropertyValues("tidemark.idempotency.enabled=true");

  @Test
  @DisplayName("are demanded by a filter that is switched on, which says what to do without them")
  void filterWithoutRecords() {
    ENABLED.run(
        context ->
            assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("Set tidemark.executions.table"));
  }

  @Test
  @DisplayName("have no filter without its module, and the application says so where it wants one")
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
  @DisplayName("have no filter in a reactive application, and it says so where it wants one")
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
  @DisplayName("leave the filter to an application that has one, or registers one, of its own")
  void ownFilter() {
    MongoExecutionRecords records =
        MongoExecutionRecords.of(
            Servers.mongo().getDatabase("records").getCollection(Servers.fresh("keys")));
    IdempotencyFilter own = IdempotencyFilter.builder(Executions.of("http", records)).build();
    WebApplicationContextRunner enabled = ENABLED.withBean(ExecutionRecords.class, () -> records);
    enabled
        .withBean(IdempotencyFilter.class, () -> own)
        .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    enabled
        .withUserConfiguration(OwnRegistration.class)
        .withBean(OwnRegistration.Filter.class, () -> new OwnRegistration.Filter(own))
        .run(context -> assertThat(context).hasSingleBean(FilterRegistrationBean.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnRegistration {
    record Filter(IdempotencyFilter filter) {}

    @Bean
    FilterRegistrationBean<IdempotencyFilter> registration(Filter own) {
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
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
      effects.incrementAndGet();
      response.setStatus(201);
    }
  }
}
