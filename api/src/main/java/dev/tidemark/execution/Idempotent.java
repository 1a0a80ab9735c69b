package dev.tidemark.execution;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of an interface once per idempotency key, behind {@link Executions#proxy}.
 *
 * <pre>{@code
 * interface Checkouts {
 *   @Idempotent
 *   Receipt checkout(@Idempotent.Key String key, Cart cart);
 * }
 * }</pre>
 *
 * <p>Calls that do not go through the proxy run as often as they are made: on a method of a class,
 * as of a bean of Spring, it does nothing.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Idempotent {
  /**
   * Keeps the keys of this method apart from those of others. It is stored, so it must stay where a
   * method is renamed.
   *
   * @return the method's name if it is empty
   */
  String scope() default "";

  /** The parameter that is the key: a String. All others together are the request. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  @interface Key {}
}
