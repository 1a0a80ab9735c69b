package dev.tidemark.spring;

import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.servlet.IdempotencyFilter;
import dev.tidemark.store.RecordStore;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * The filter that runs HTTP requests once per {@code Idempotency-Key}, where {@code
 * tidemark.idempotency.enabled} says so. It comes behind the filters that authenticate. An
 * application that has a filter of its own, or registers one, keeps that one, and does not start
 * where it sets or customizes anything for this one. Each authenticated principal has keys of its
 * own. Without URL patterns, a {@code RecordStore} bean or {@code tidemark-servlet}, where clients
 * cannot be told apart, or where it is reactive, the application does not start: its requests would
 * run without the protection that it asks for.
 */
@AutoConfiguration(after = TidemarkRecordsAutoConfiguration.class)
@ConditionalOnBooleanProperty("tidemark.idempotency.enabled")
@EnableConfigurationProperties(TidemarkProperties.class)
public final class TidemarkServletAutoConfiguration {
  private static final String FILTER = "tidemarkIdempotencyFilter";

  TidemarkServletAutoConfiguration() {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({IdempotencyFilter.class, FilterRegistrationBean.class})
  @ConditionalOnMissingBean(
      value = IdempotencyFilter.class,
      parameterizedContainer = FilterRegistrationBean.class)
  static class WithFilter {
    /** The name that Spring Security gives its filter. */
    private static final String SECURITY = "springSecurityFilterChain";

    @Bean(FILTER)
    @Lazy(false)
    Registration tidemarkIdempotencyFilter(
        BeanFactory beans,
        Environment environment,
        TidemarkProperties properties,
        ObjectProvider<ExecutionListener> listeners,
        ObjectProvider<ExecutionsCustomizer> executions,
        ObjectProvider<IdempotencyFilterCustomizer> customizers) {
      TidemarkProperties.Idempotency settings = properties.idempotency();
      RecordStore kept =
          Objects.requireNonNullElseGet(
              TidemarkRecordsAutoConfiguration.records(beans), WithFilter::refuse);
      IdempotencyFilter.Builder builder =
          IdempotencyFilter.builder(
              ScopedExecutions.of(scope(settings, environment), kept, listeners, executions));
      if (settings.sharedKeys()) {
        builder.sharedKeys();
      } else if (beans.containsBean(SECURITY)) {
        builder.tenant(WithFilter::principal);
      }
      customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
      return new Registration(built(builder), patterns(settings));
    }

    /** Applications that keep their keys in one table would replay each other's responses. */
    private static String scope(TidemarkProperties.Idempotency settings, Environment environment) {
      String name = environment.getProperty("spring.application.name", "");
      return Objects.requireNonNullElse(settings.scope(), name.isBlank() ? "http" : "http-" + name);
    }

    /** Empty for nobody. */
    private static String principal(HttpServletRequest request) {
      Principal principal = request.getUserPrincipal();
      return principal == null ? "" : principal.getName();
    }

    private static IdempotencyFilter built(IdempotencyFilter.Builder builder) {
      try {
        return builder.build();
      } catch (IllegalStateException e) { // neither a tenant nor shared keys
        throw new SetupException(
            "tidemark.idempotency.enabled is true, but nothing tells one client from another: no"
                + " filter chain of Spring Security, and no tenant. Whoever knows a key would be"
                + " given the response that another client got.",
            "Add Spring Security, or call tenant(...) in an IdempotencyFilterCustomizer; or set"
                + " tidemark.idempotency.shared-keys to true if every client may get every other's"
                + " response.");
      }
    }

    private static List<String> patterns(TidemarkProperties.Idempotency settings) {
      if (settings.urlPatterns().isEmpty()) {
        throw new SetupException(
            "tidemark.idempotency.enabled is true, but nothing says which requests need a key:"
                + " tidemark.idempotency.url-patterns is missing or empty.",
            "Set tidemark.idempotency.url-patterns, such as to /payments/*.");
      }
      return settings.urlPatterns();
    }

    private static RecordStore refuse() {
      throw new SetupException(
          "tidemark.idempotency.enabled is true, but there is nowhere to keep the keys: no bean of"
              + " type RecordStore.",
          "Set tidemark.executions.table, or make such a bean.");
    }
  }

  /**
   * The registration that is made here, which no bean of the application's is. Aspects extend it.
   */
  static class Registration extends FilterRegistrationBean<IdempotencyFilter> {
    Registration(IdempotencyFilter filter, List<String> patterns) {
      super(filter);
      setUrlPatterns(patterns);
    }
  }

  /** Settings are for the filter that is made here, and would have no effect beside another. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({IdempotencyFilter.class, FilterRegistrationBean.class})
  @Lazy(false)
  static class WithOwnFilter {
    private static final String PREFIX = "tidemark.idempotency.";

    WithOwnFilter(ListableBeanFactory beans, TidemarkProperties properties) {
      if (names(beans, ResolvableType.forClass(Registration.class)).findAny().isPresent()) {
        return;
      }
      List<String> own = own(beans);
      String given = given(properties.idempotency(), own.isEmpty(), beans);
      if (given != null) {
        throw new SetupException(
            given
                + " is set, and has no effect: it is for the filter in whose place the application"
                + " has a bean of its own, "
                + (own.isEmpty() ? FILTER : String.join(", ", own))
                + ".",
            "Leave out tidemark.idempotency and its customizers, and let that bean do what it says;"
                + " or, if that bean is no filter of idempotency keys, give it another name.");
      }
    }

    /** The filters, and the registrations of filters, that the application has. */
    private static List<String> own(ListableBeanFactory beans) {
      ResolvableType registered =
          ResolvableType.forClassWithGenerics(
              FilterRegistrationBean.class, IdempotencyFilter.class);
      return Stream.of(ResolvableType.forClass(IdempotencyFilter.class), registered)
          .flatMap(type -> names(beans, type))
          .toList();
    }

    private static Stream<String> names(ListableBeanFactory beans, ResolvableType type) {
      return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type));
    }

    /** What was set for the filter; null if nothing was. */
    private static @Nullable String given(
        TidemarkProperties.Idempotency settings, boolean isFilterless, ListableBeanFactory beans) {
      if (!settings.urlPatterns().isEmpty()) {
        return PREFIX + "url-patterns";
      }
      if (settings.scope() != null) {
        return PREFIX + "scope";
      }
      List<String> customizers =
          names(beans, ResolvableType.forClass(IdempotencyFilterCustomizer.class)).toList();
      if (!customizers.isEmpty()) {
        return "IdempotencyFilterCustomizer (" + String.join(", ", customizers) + ")";
      }
      String other = settings.sharedKeys() ? "shared-keys" : isFilterless ? "enabled" : null;
      return other == null ? null : PREFIX + other;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnMissingClass("dev.tidemark.servlet.IdempotencyFilter")
  @Lazy(false)
  static class WithoutModule {
    WithoutModule() {
      throw new SetupException(
          "tidemark.idempotency.enabled is true, but the filter is not on the class path.",
          "Add tidemark-servlet, or set tidemark.idempotency.enabled to false.");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  @Lazy(false)
  static class WithoutServlets {
    WithoutServlets() {
      throw new SetupException(
          "tidemark.idempotency.enabled is true, but its filter is for servlets, and this"
              + " application is reactive.",
          "Set it to false, and let handlers call Executions.run with the key of the request.");
    }
  }
}
