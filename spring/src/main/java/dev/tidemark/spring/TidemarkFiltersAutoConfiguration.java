package dev.tidemark.spring;

import dev.tidemark.execution.Executions;
import dev.tidemark.servlet.IdempotencyFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * What holds for every {@link IdempotencyFilter}, also for those of the application's own: each has
 * a scope that nothing else has, or the application does not start; and requests with a key to
 * controllers of Spring MVC that would go on asynchronously are refused before the controller acts.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({IdempotencyFilter.class, FilterRegistrationBean.class})
public final class TidemarkFiltersAutoConfiguration {
  TidemarkFiltersAutoConfiguration() {}

  @Bean
  @Lazy(false)
  static SmartInitializingSingleton tidemarkFilterScopes(
      ObjectProvider<IdempotencyFilter> filters,
      ObjectProvider<FilterRegistrationBean<?>> registrations,
      ObjectProvider<Executions> executions) {
    return new FilterScopes(filters, registrations, executions);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RequestMappingHandlerAdapter.class)
  static class WithMvc {
    /** Found by every mapping of handlers, also where the application configures Spring MVC. */
    @Bean
    static MappedInterceptor tidemarkSynchronousControllers(
        ObjectProvider<RequestMappingHandlerAdapter> adapters) {
      return new MappedInterceptor(null, new SynchronousControllers(adapters));
    }
  }
}
