package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.opentelemetry.TidemarkTracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("Spans of an application")
class TracingTest {
  @RegisterExtension
  static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

  private final String table = Servers.fresh("spendings");
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  TidemarkStoresAutoConfiguration.class, TidemarkTracingAutoConfiguration.class))
          .withUserConfiguration(RelaysTest.Shop.class)
          .withBean(MongoClient.class, Servers::mongo, bean -> bean.setDestroyMethodName(""))
          .withPropertyValues(
              "spendings=" + table,
              "tidemark.mongodb.database=tracing",
              "tidemark.tables.spending=" + table,
              "tidemark.tables.order-view=orders",
              "tidemark.stores.order-view=mongodb");

  @Test
  @DisplayName("are made of its stores' calls, where OpenTelemetry is a bean")
  void spans() {
    runner
        .withBean(
            OpenTelemetry.class, TELEMETRY::getOpenTelemetry, bean -> bean.setDestroyMethodName(""))
        .run(
            context -> {
              var outcome =
                  context
                      .getBean("spendingStore", EntityStore.class)
                      .update(
                          MessageId.of("m1"),
                          key("ann"),
                          change().add("total", 1).createIfMissing());
              assertThat(outcome.isDone()).isTrue();
              assertThat(TELEMETRY.getSpans())
                  .extracting(SpanData::getName)
                  .containsExactly("update " + table);
            });
  }

  @Test
  @DisplayName("are not made without that bean, or without the module")
  void absent() {
    runner.run(
        context -> assertThat(context).hasNotFailed().doesNotHaveBean(TidemarkTracing.class));
    runner
        .withBean(
            OpenTelemetry.class, TELEMETRY::getOpenTelemetry, bean -> bean.setDestroyMethodName(""))
        .withClassLoader(new FilteredClassLoader(TidemarkTracing.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(TidemarkTracing.class));
  }
}
