package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.carrier.CarrierSetup;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.example.orderhistory.store.StoredGenerations;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.micrometer.TidemarkMetrics;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The long-running service: it projects what the carrier brings, and serves the views, as {@link
 * Settings} say.
 */
@SpringBootApplication(proxyBeanMethods = false)
@Import(CarrierSetup.class)
@EnableScheduling
public final class Application {
  private static final Logger LOG = LoggerFactory.getLogger(Application.class);
  private static final Duration STORE_LIMIT = Duration.ofSeconds(5);

  /** For Spring. */
  public Application() {}

  /**
   * Runs the service until the process is told to end.
   *
   * @param args Spring's own, such as {@code --server.port=8080}
   */
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  /** Scheduled work goes on after a fault, whose text may quote values. */
  @Bean
  ThreadPoolTaskSchedulerCustomizer faultsOfScheduledWork() {
    return scheduler ->
        scheduler.setErrorHandler(
            fault ->
                LOG.atWarn()
                    .addKeyValue("fault", fault.getClass().getSimpleName())
                    .log("scheduled work failed, and is tried again"));
  }

  @Bean
  ChangeSignal changeSignal() {
    return new ChangeSignal();
  }

  @Bean
  TidemarkMetrics tidemarkMetrics(MeterRegistry registry) {
    return new TidemarkMetrics(registry).countersFromZero();
  }

  @Bean
  StoreListener storeListener(TidemarkMetrics metrics, ChangeSignal signal) {
    return metrics.and(new OutcomeLog()).and(signal);
  }

  @Bean
  Generations generations(Settings settings, StoreListener storeListener, Clock clock) {
    return StoredGenerations.open(settings, storeListener, clock, DynamoDbClient::create);
  }

  /** What every carrier hands its batches to. */
  @Bean
  Function<List<Delivery>, BatchOutcome<?>> handler(
      Settings settings, Generations generations, BatchWatch watch) {
    return watch.around(settings.handler(generations));
  }

  /** Pages are to see within 5 s that a store is silent. */
  @Bean
  StoreReads lookReads() {
    return new StoreReads("look-read", Duration.ofSeconds(3), 4, 64);
  }

  @Bean
  StoreReads promptReads() {
    return new StoreReads("store-read", STORE_LIMIT, 32, 64);
  }

  /** Of readers who wait for an event, up to 2 seconds: as many again may wait for their turn. */
  @Bean
  StoreReads waitingReads() {
    return new StoreReads("waiting-read", STORE_LIMIT, 32, 32);
  }

  @Bean
  StoreReads healthReads() {
    return new StoreReads("health-read", STORE_LIMIT, 2, 2);
  }
}
