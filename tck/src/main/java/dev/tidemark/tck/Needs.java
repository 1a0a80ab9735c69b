package dev.tidemark.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says what a contract needs of a configuration. Where that is missing, the contract is aborted as
 * {@code missing capability: NAME: sentence}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Needs {
  /**
   * The capabilities.
   *
   * @return at least one
   */
  Capability[] value();
}
