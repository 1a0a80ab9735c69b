package dev.tidemark.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Says where {@link dev.tidemark.Tracked} classes are looked for, on a configuration class. Without
 * it they are looked for in the packages of the application, as {@code @EntityScan} does for
 * entities. Without packages of its own it means the package of the annotated class.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(TrackedPackages.Registrar.class)
public @interface TrackedScan {
  /**
   * Packages, with those below them.
   *
   * @return their names
   */
  String[] basePackages() default {};

  /**
   * Packages by one of their classes or interfaces each.
   *
   * @return types of the packages
   */
  Class<?>[] basePackageClasses() default {};
}
