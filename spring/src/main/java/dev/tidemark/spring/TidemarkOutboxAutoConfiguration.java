package dev.tidemark.spring;

import com.mongodb.client.MongoClient;
import dev.tidemark.dynamodb.DynamoDbOutboxStream;
import dev.tidemark.mongodb.MongoOutboxStream;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.Sender;
import java.time.Clock;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AllNestedConditions;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * A relay for each {@code OutboxRecords} bean, and for what each {@link OutboxSource} names, which
 * sends by the {@code Sender} that is a bean, and shares the work by the {@code RecordStore} of
 * {@code tidemark.executions.table}, else by the only one that is a bean, if there is one. {@code
 * tidemark.outbox.enabled=false} switches relays off.
 */
@AutoConfiguration(after = TidemarkRecordsAutoConfiguration.class)
@Conditional(TidemarkOutboxAutoConfiguration.Publishing.class)
@ConditionalOnBooleanProperty(name = "tidemark.outbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TidemarkProperties.class)
public final class TidemarkOutboxAutoConfiguration {
  TidemarkOutboxAutoConfiguration() {}

  /** A sender, and something to send. */
  static final class Publishing extends AllNestedConditions {
    Publishing() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(Sender.class)
    static class ToSomewhere {}

    @Conditional(Outboxes.class)
    static class FromSomewhere {}
  }

  static final class Outboxes extends AnyNestedCondition {
    Outboxes() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(OutboxRecords.class)
    static class Named {}

    @ConditionalOnBean(OutboxSource.class)
    static class ComingAndGoing {}
  }

  @Bean
  Relays tidemarkRelays(
      ObjectProvider<OutboxRecords> outboxes,
      ObjectProvider<OutboxSource> sources,
      Sender sender,
      BeanFactory beans,
      ObjectProvider<RelayListener> listeners,
      ObjectProvider<RelayHints> hints,
      ObjectProvider<GoneRecords> gone,
      ObjectProvider<RelayCustomizer> customizers) {
    return new Relays(
        outboxes.orderedStream().toList(),
        sources.orderedStream().toList(),
        sender,
        TidemarkRecordsAutoConfiguration.records(beans),
        listeners.orderedStream().toList(),
        hints.orderedStream().toList(),
        gone.orderedStream().toList(),
        customizers,
        Clock.systemUTC(),
        Relays.LONGEST_END);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty("tidemark.outbox.streams")
  @ConditionalOnClass({DynamoDbOutboxStream.class, DynamoDbStreamsClient.class})
  static class TableStreams {
    @Bean
    RelayHints tidemarkTableHints(ObjectProvider<DynamoDbStreamsClient> client) {
      return new TableHints(client);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty("tidemark.outbox.streams")
  @ConditionalOnClass({MongoOutboxStream.class, MongoClient.class})
  static class CollectionStreams {
    @Bean
    RelayHints tidemarkCollectionHints() {
      return new CollectionHints();
    }
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
