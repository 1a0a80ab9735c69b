package dev.tidemark.example.orderhistory.host;

import dev.tidemark.aws.CloudWatchLines;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.relay.StatusSender;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.Sender;
import dev.tidemark.spring.OutboxSource;
import dev.tidemark.spring.RelayCustomizer;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * What the relays of statuses need, which Tidemark runs: one for the generation that serves, and
 * one for each before it that is there, so that what was published there before a switch is sent
 * too. There are none where {@code RELAY_TO} names no broker.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression("!'${RELAY_TO:}'.isEmpty()")
class RelaySetup {
  @Bean
  @ConditionalOnMissingBean
  Sender statusSender(Settings settings) {
    return new StatusSender(settings, SqsClient::builder);
  }

  @Bean
  OutboxSource statuses(Generations generations) {
    return generations::outboxes;
  }

  @Bean
  RelayCustomizer leases(Generations generations) {
    return (records, relay) -> relay.sharedBy(generations.executions()).lease(StatusSender.LEASE);
  }

  /** By which relays are told what came. */
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = "STORE", havingValue = "dynamodb", matchIfMissing = true)
  DynamoDbStreamsClient streams() {
    return DynamoDbStreamsClient.create();
  }

  @Bean
  @ConditionalOnExpression("!'${RELAY_METRICS:}'.isEmpty()")
  RelayListener metricLines(Settings settings) {
    return CloudWatchLines.of(settings.relayMetrics(), System.out::println);
  }
}
