package dev.tidemark.spring;

import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.Sender;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A relay for each {@code OutboxRecords} bean, which sends by the {@code Sender} that is a bean,
 * and shares the work by the {@code ExecutionRecords} bean, if there is one. {@code
 * tidemark.outbox.enabled=false} switches relays off.
 */
@AutoConfiguration(after = TidemarkRecordsAutoConfiguration.class)
@ConditionalOnBean({Sender.class, OutboxRecords.class})
@ConditionalOnBooleanProperty(name = "tidemark.outbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TidemarkProperties.class)
public final class TidemarkOutboxAutoConfiguration {
  TidemarkOutboxAutoConfiguration() {}

  @Bean
  Relays tidemarkRelays(
      ObjectProvider<OutboxRecords> outboxes,
      Sender sender,
      ObjectProvider<ExecutionRecords> leases,
      ObjectProvider<RelayListener> listeners,
      ObjectProvider<RelayCustomizer> customizers) {
    return new Relays(
        outboxes.orderedStream().toList(),
        sender,
        leases.getIfAvailable(),
        listeners.orderedStream().toList(),
        customizers,
        Clock.systemUTC());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  @ConditionalOnBooleanProperty(
      name = "management.health.tidemark-relays.enabled",
      matchIfMissing = true)
  static class WithHealth {
    @Bean
    RelaysHealth tidemarkRelaysHealthIndicator(Relays relays, TidemarkProperties properties) {
      return new RelaysHealth(relays, properties.outbox().staleAfter(), Clock.systemUTC());
    }
  }
}
