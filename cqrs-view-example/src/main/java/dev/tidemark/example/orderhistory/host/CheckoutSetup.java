package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.checkout.Checkouts;
import dev.tidemark.example.orderhistory.checkout.Payments;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.execution.Executions;
import dev.tidemark.servlet.IdempotencyFilter;
import dev.tidemark.store.RecordStore;
import java.time.Duration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What checkouts need; there are none where no payment provider is named. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression("!environment.getProperty('PAYMENTS_URL', '').isEmpty()")
class CheckoutSetup {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final Duration KEPT = Duration.ofDays(7);

  @Bean
  RecordStore recordStore(Generations generations) {
    return generations.executions();
  }

  @Bean
  Checkouts checkouts(RecordStore records, Settings settings) {
    return new Checkouts(records, new Payments(settings.paymentsUrl()), lease(settings));
  }

  /**
   * Replays answers for a week. This service knows no users, so its clients share their keys; one
   * that does gives the filter the user as its tenant, since a key is no secret.
   */
  @Bean
  FilterRegistrationBean<IdempotencyFilter> idempotency(RecordStore records, Settings settings) {
    Executions requests =
        Executions.builder("http", records)
            .lease(lease(settings))
            .waitingUpTo(WAIT)
            .keptFor(KEPT)
            .build();
    FilterRegistrationBean<IdempotencyFilter> filter =
        new FilterRegistrationBean<>(IdempotencyFilter.builder(requests).sharedKeys().build());
    filter.addUrlPatterns("/checkouts");
    return filter;
  }

  private static Duration lease(Settings settings) {
    return Duration.ofSeconds(settings.checkoutLeaseSeconds());
  }
}
