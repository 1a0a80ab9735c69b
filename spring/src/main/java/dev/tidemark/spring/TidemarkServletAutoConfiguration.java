package dev.tidemark.spring;

import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.servlet.IdempotencyFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/**
 * The filter that runs HTTP requests once per {@code Idempotency-Key}, where {@code
 * tidemark.idempotency.enabled} says so and there is an {@code ExecutionRecords} bean. It comes
 * behind the filters that authenticate.
 */
@AutoConfiguration(after = TidemarkRecordsAutoConfiguration.class)
@ConditionalOnClass({IdempotencyFilter.class, FilterRegistrationBean.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty("tidemark.idempotency.enabled")
@ConditionalOnBean(ExecutionRecords.class)
@ConditionalOnMissingBean(IdempotencyFilter.class)
@EnableConfigurationProperties(TidemarkProperties.class)
public final class TidemarkServletAutoConfiguration {
  TidemarkServletAutoConfiguration() {}

  @Bean
  FilterRegistrationBean<IdempotencyFilter> tidemarkIdempotencyFilter(
      ExecutionRecords records,
      TidemarkProperties properties,
      ObjectProvider<ExecutionListener> listeners,
      ObjectProvider<ExecutionsCustomizer> executions,
      ObjectProvider<IdempotencyFilterCustomizer> customizers) {
    TidemarkProperties.Idempotency settings = properties.idempotency();
    IdempotencyFilter.Builder builder =
        IdempotencyFilter.builder(
            ScopedExecutions.of(settings.scope(), records, listeners, executions));
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    var registration = new FilterRegistrationBean<>(builder.build());
    registration.setUrlPatterns(settings.urlPatterns());
    return registration;
  }
}
