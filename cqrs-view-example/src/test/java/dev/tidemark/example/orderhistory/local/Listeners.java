package dev.tidemark.example.orderhistory.local;

import dev.tidemark.example.orderhistory.carrier.CarrierSetup;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.spring.TidemarkKafkaAutoConfiguration;
import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.context.support.GenericApplicationContext;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The service's consumer without the service: the listener that is deployed, which hands what comes
 * to a handler of the caller's. It consumes from {@link #start} until it is closed.
 */
public final class Listeners implements AutoCloseable {
  static {
    // Who starts a consumer has set up logging before.
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
  }

  private final ConfigurableApplicationContext context;

  private Listeners(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** What the service has around its consumer. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    PropertyPlaceholderAutoConfiguration.class,
    KafkaAutoConfiguration.class,
    TidemarkKafkaAutoConfiguration.class
  })
  @Import(CarrierSetup.class)
  static class Setup {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }

    /** Lets nothing begin before it is told to. */
    @Bean
    LifecycleProcessor lifecycleProcessor() {
      return new DefaultLifecycleProcessor() {
        @Override
        public void onRefresh() {}
      };
    }
  }

  /**
   * A consumer that has not begun.
   *
   * @param settings by the names of the environment's variables, and Spring's own
   */
  public static Listeners open(
      Function<List<Delivery>, BatchOutcome<?>> handler, Map<String, String> settings) {
    return open(handler, settings, beans -> {});
  }

  /** What lets a consumer find SQS. */
  public static Consumer<GenericApplicationContext> sqsAt(URI uri) {
    return beans -> {
      beans.registerBean("sqsClient", SqsClient.class, () -> LocalSqs.client(uri));
      beans.registerBean("sqsAsyncClient", SqsAsyncClient.class, () -> LocalSqs.asyncClient(uri));
    };
  }

  /** What lets a consumer not say that it still works on messages, which others get meanwhile. */
  public static void withoutHeartbeat(GenericApplicationContext beans) {
    beans.registerBean(
        "defaultSqsListenerContainerFactory",
        SqsMessageListenerContainerFactory.class,
        () ->
            SqsMessageListenerContainerFactory.builder()
                .sqsAsyncClient(beans.getBean(SqsAsyncClient.class))
                .build());
  }

  /** A consumer that has not begun, with clients or other beans of the caller's. */
  public static Listeners open(
      Function<List<Delivery>, BatchOutcome<?>> handler,
      Map<String, String> settings,
      Consumer<GenericApplicationContext> more) {
    String[] args =
        settings.entrySet().stream()
            .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
            .toArray(String[]::new);
    return new Listeners(
        new SpringApplicationBuilder(Setup.class)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .registerShutdownHook(false)
            .initializers(
                fresh -> {
                  GenericApplicationContext beans = (GenericApplicationContext) fresh;
                  beans.registerBean("handler", Function.class, () -> handler);
                  more.accept(beans);
                })
            .run(args));
  }

  /** Begins to consume. */
  public Listeners start() {
    context.start();
    return this;
  }

  /** What is in there. */
  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** What the carrier says of itself. */
  public Health health() {
    return Objects.requireNonNull(bean(HealthIndicator.class).health());
  }

  /** How many messages went to the dead letters. */
  public long deadLetters() {
    return (long) bean(MeterRegistry.class).get("orderhistory.dead.letters").counter().count();
  }

  /** Finishes the batch in hand. */
  @Override
  public void close() {
    context.close();
  }
}
