package dev.tidemark.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.Environment;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of what the application does with its stores, without its carriers and its web layer: a
 * test slice of Spring Boot, as {@code @DataMongoTest} is one.
 *
 * <pre>{@code
 * @TidemarkTest
 * @Import(Projectors.class)
 * class ProjectorsTest {
 *   @Autowired EntityStore<OrderView> orders;
 *   @Autowired Projector<OrderView> view;
 *   …
 * }
 * }</pre>
 *
 * <p>There are the stores of the {@link dev.tidemark.Tracked} classes, the execution records,
 * executions and inboxes that properties name, {@code JsonMapper} and {@code MongoClient} where
 * Spring Boot makes them, {@link DynamoDbStoreCustomizer} and {@link MongoStoreCustomizer} beans,
 * and what the application class itself defines. Other components and configurations of the
 * application are left out, until {@code @Import} names them. DynamoDB is {@linkplain
 * AutoConfigureLocalDynamoDb DynamoDB Local}; MongoDB is the server that {@code spring.mongodb.uri}
 * or a service connection names.
 *
 * <p>The test needs {@code spring-boot-test-autoconfigure} and JUnit 6, as Spring Framework 7 does.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@BootstrapWith(TidemarkTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(TidemarkTypeExcludeFilter.class)
@AutoConfigureLocalDynamoDb
@ImportAutoConfiguration
public @interface TidemarkTest {
  /**
   * Properties of the application in this test.
   *
   * @return pairs {@code key=value}, added to the {@link Environment} before the context starts
   */
  String[] properties() default {};

  /**
   * Whether components are left out.
   *
   * @return {@code false} for all components of the application
   */
  boolean useDefaultFilters() default true;

  /**
   * Components that are there beside those named above.
   *
   * @return filters that a component passes by any of them
   */
  ComponentScan.Filter[] includeFilters() default {};

  /**
   * Components that are left out.
   *
   * @return filters that leave out a component by any of them
   */
  ComponentScan.Filter[] excludeFilters() default {};

  /**
   * Auto-configurations that are left out.
   *
   * @return their classes
   */
  @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
  Class<?>[] excludeAutoConfiguration() default {};
}
