package dev.tidemark.spring;

import dev.tidemark.micrometer.TidemarkMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Meters of the stores, executions, relays and intakes that are beans, in the registry that is a
 * bean.
 */
@AutoConfiguration(
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({TidemarkMetrics.class, MeterRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
public final class TidemarkMetricsAutoConfiguration {
  TidemarkMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  TidemarkMetrics tidemarkMetrics(MeterRegistry registry) {
    return new TidemarkMetrics(registry);
  }

  /** The age of a relay that has ended for good would look like silence. */
  @Bean
  GoneRecords tidemarkGoneMeters(TidemarkMetrics metrics) {
    return records -> {
      var unused = metrics.unwatch(records);
    };
  }

  /** A relay that never makes a pass is seen too. */
  @Bean
  RelayCustomizer tidemarkRelayMeters(TidemarkMetrics metrics) {
    return (records, relay) -> metrics.watch(records);
  }

  /** An intake is counted by the name of its bean. */
  @Bean
  static BeanPostProcessor tidemarkIntakeMeters(ObjectProvider<TidemarkMetrics> metrics) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof CountedIntake<?> intake) {
          metrics.ifAvailable(meters -> intake.count(meters.intake(name)));
        }
        return bean;
      }
    };
  }
}
