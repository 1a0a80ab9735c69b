package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

@DisplayName("An application that has no listener of Tidemark is started with")
class KafkaBesideOthersTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  KafkaAutoConfiguration.class, TidemarkKafkaAutoConfiguration.class));

  @Configuration(proxyBeanMethods = false)
  static class Typed {
    @Bean
    ConsumerFactory<String, String> consumers() {
      return new DefaultKafkaConsumerFactory<>(
          Map.of(), new StringDeserializer(), new StringDeserializer());
    }
  }

  @Test
  @DisplayName("a consumer factory of types of its own")
  void typedConsumers() {
    runner
        .withUserConfiguration(Typed.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              var factory =
                  (ConcurrentKafkaListenerContainerFactory<?, ?>)
                      context.getBean(KafkaIntakeListener.FACTORY);
              assertThat(factory.getConsumerFactory())
                  .isNotSameAs(context.getBean(ConsumerFactory.class));
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoInterceptors {
    @Bean
    BatchInterceptor<Object, Object> one() {
      return (records, consumer) -> records;
    }

    @Bean
    BatchInterceptor<Object, Object> two() {
      return (records, consumer) -> records;
    }
  }

  @Test
  @DisplayName("two batch interceptors, of which Spring Boot takes none")
  void twoInterceptors() {
    runner
        .withUserConfiguration(TwoInterceptors.class)
        .run(context -> assertThat(context).hasNotFailed());
  }

  record Injected(ConcurrentKafkaListenerContainerFactory<Object, Object> factory) {}

  @Test
  @DisplayName("Spring Boot's container factory where it asks for one by type")
  void injectedFactory() {
    runner
        .withUserConfiguration(Injected.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(Injected.class).factory())
                  .isSameAs(context.getBean("kafkaListenerContainerFactory"));
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto-offset-reset=latest", "enable-auto-commit=true"})
  @DisplayName("settings of the consumer that its own listeners may have")
  void settings(String setting) {
    runner
        .withPropertyValues("spring.kafka.consumer." + setting)
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Configuration(proxyBeanMethods = false)
  static class Customized {
    @Bean
    ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>>
        named() {
      return container -> container.getContainerProperties().setClientId("mine");
    }
  }

  @Test
  @DisplayName("a customizer of containers, which customizes those of Tidemark, too")
  void customizer() {
    runner
        .withUserConfiguration(Customized.class)
        .run(
            context -> {
              var factory =
                  (ConcurrentKafkaListenerContainerFactory<?, ?>)
                      context.getBean(KafkaIntakeListener.FACTORY);
              assertThat(factory.createContainer("orders").getContainerProperties())
                  .hasFieldOrPropertyWithValue("clientId", "mine")
                  .extracting(own -> own.getKafkaConsumerProperties().get("auto.offset.reset"))
                  .isEqualTo("earliest");
            });
  }
}
