package dev.tidemark.spring;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.kafka.autoconfigure.ConcurrentKafkaListenerContainerFactoryConfigurer;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ListenerContainerPauseService;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The container factory for a {@link KafkaIntakeListener}, with Spring Boot's settings. */
@AutoConfiguration(after = KafkaAutoConfiguration.class)
@ConditionalOnClass({
  ConcurrentKafkaListenerContainerFactory.class,
  ConcurrentKafkaListenerContainerFactoryConfigurer.class
})
@ConditionalOnBean(ConcurrentKafkaListenerContainerFactoryConfigurer.class)
@ImportRuntimeHints(IntakeContainers.Hints.class)
public final class TidemarkKafkaAutoConfiguration {
  /** How soon a partition goes on whose pause is over. */
  private static final long POLL_MILLIS = 250;

  TidemarkKafkaAutoConfiguration() {}

  @Bean(defaultCandidate = false)
  @ConditionalOnMissingBean(name = "tidemarkKafkaPauses")
  ThreadPoolTaskScheduler tidemarkKafkaPauses() {
    ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
    scheduler.setThreadNamePrefix("tidemark-kafka-pauses-");
    scheduler.setDaemon(true);
    scheduler.setAcceptTasksAfterContextClose(true); // containers end later, with a last batch
    return scheduler;
  }

  /** No candidate by its type: whoever asks for a container factory so, means Spring Boot's. */
  @Bean(name = KafkaIntakeListener.FACTORY, defaultCandidate = false)
  @ConditionalOnMissingBean(name = KafkaIntakeListener.FACTORY)
  ConcurrentKafkaListenerContainerFactory<Object, Object> tidemarkKafkaListenerContainerFactory(
      ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
      ObjectProvider<ConsumerFactory<Object, Object>> consumerFactory,
      KafkaProperties properties,
      ObjectProvider<
              ContainerCustomizer<
                  Object, Object, ConcurrentMessageListenerContainer<Object, Object>>>
          customizers,
      @Qualifier("tidemarkKafkaPauses") ThreadPoolTaskScheduler pauses) {
    ConsumerFactory<Object, Object> consumers = // as of Spring Boot's own container factory
        consumerFactory.getIfAvailable(
            () -> new DefaultKafkaConsumerFactory<>(properties.buildConsumerProperties()));
    var factory = new IntakeContainers<Object, Object>();
    configurer.configure(factory, consumers);
    factory.setBatchListener(true);
    factory.setCommonErrorHandler(
        new IntakeErrorHandler(new ListenerContainerPauseService(null, pauses)));
    ContainerProperties containers = factory.getContainerProperties();
    containers.setAckMode(ContainerProperties.AckMode.BATCH);
    containers.setAsyncAcks(false); // a container would wait for acknowledgments that nobody gives
    containers.setPollTimeout(POLL_MILLIS);
    // Inside a transaction of Kafka, a container commits a poll to its end, whatever is not done.
    containers.setKafkaAwareTransactionManager(null);
    // The factory's own properties of the consumer give way to those of each listener.
    factory.setContainerCustomizer(
        container -> {
          customizers.ifUnique(customizer -> customizer.configure(container));
          startAtEarliest(container, consumers);
        });
    return factory;
  }

  /** Kafka's own default leaves out what was there before the group. */
  private static void startAtEarliest(
      ConcurrentMessageListenerContainer<Object, Object> container,
      ConsumerFactory<Object, Object> consumers) {
    Properties own = container.getContainerProperties().getKafkaConsumerProperties();
    Map<String, Object> settings = new HashMap<>(consumers.getConfigurationProperties());
    own.forEach((name, value) -> settings.put(name.toString(), value));
    requireSafe(settings);
    if (!settings.containsKey(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG)) {
      own.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    }
  }

  private static void requireSafe(Map<String, Object> settings) {
    String reset =
        String.valueOf(settings.getOrDefault(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"));
    if (!reset.equals("earliest") && !reset.equals("none")) {
      throw new SetupException(
          "spring.kafka.consumer.auto-offset-reset is " + reset + ", which loses records.",
          "Set it to earliest or none, or leave it out: Tidemark's listeners then have earliest.");
    }
    if (Boolean.parseBoolean(
        String.valueOf(settings.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)))) {
      throw new SetupException(
          "spring.kafka.consumer.enable-auto-commit is true, which commits what is not done.",
          "Leave it out: Tidemark's listeners commit what is done.");
    }
  }
}
