package dev.tidemark.spring;

import dev.tidemark.opentelemetry.TidemarkTracing;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Spans of the stores, executions and relays that are beans, by the OpenTelemetry bean. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
      "io.opentelemetry.instrumentation.spring.autoconfigure.OpenTelemetryAutoConfiguration"
    })
@ConditionalOnClass({TidemarkTracing.class, OpenTelemetry.class})
@ConditionalOnBean(OpenTelemetry.class)
public final class TidemarkTracingAutoConfiguration {
  TidemarkTracingAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  TidemarkTracing tidemarkTracing(OpenTelemetry telemetry) {
    return new TidemarkTracing(telemetry);
  }
}
