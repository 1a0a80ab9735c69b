package dev.tidemark.spring;

import dev.tidemark.execution.Executions;
import dev.tidemark.servlet.IdempotencyFilter;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.web.servlet.FilterRegistrationBean;

/**
 * Refuses an application in which a filter's scope is also that of another filter, or of executions
 * that the filter is not made of: keys that two share are taken for each other's, and answered by
 * each other's results.
 */
final class FilterScopes implements SmartInitializingSingleton {
  private final ObjectProvider<IdempotencyFilter> filters;
  private final ObjectProvider<FilterRegistrationBean<?>> registrations;
  private final ObjectProvider<Executions> executions;

  FilterScopes(
      ObjectProvider<IdempotencyFilter> filters,
      ObjectProvider<FilterRegistrationBean<?>> registrations,
      ObjectProvider<Executions> executions) {
    this.filters = filters;
    this.registrations = registrations;
    this.executions = executions;
  }

  @Override
  public void afterSingletonsInstantiated() {
    Map<String, Executions> scopes = new HashMap<>();
    for (IdempotencyFilter filter : filters()) {
      Executions own = filter.executions();
      if (scopes.put(own.scope(), own) != null) {
        throw shared("Two filters of idempotency keys", own.scope());
      }
    }
    if (scopes.isEmpty()) {
      return;
    }
    executions.stream(
            ObjectProvider.UNFILTERED, false) // those of a request are there in requests alone
        .filter(other -> scopes.getOrDefault(other.scope(), other) != other)
        .forEach(
            other -> {
              throw shared(
                  "A filter of idempotency keys and a bean of type Executions", other.scope());
            });
  }

  /** Each once, though one is a bean and is registered by another. */
  private Set<IdempotencyFilter> filters() {
    Set<IdempotencyFilter> all = new LinkedHashSet<>();
    filters.forEach(all::add);
    for (FilterRegistrationBean<?> registration : registrations) {
      if (registration.getFilter() instanceof IdempotencyFilter filter) {
        UrlPatterns.require(registration.getUrlPatterns());
        all.add(filter);
      }
    }
    return all;
  }

  private static SetupException shared(String two, String scope) {
    return new SetupException(
        two + " have one scope, '" + scope + "', so each would take the other's keys for its own.",
        "Give each a scope that nothing else uses: tidemark.idempotency.scope,"
            + " tidemark.executions.scope, or that of Executions.builder.");
  }
}
