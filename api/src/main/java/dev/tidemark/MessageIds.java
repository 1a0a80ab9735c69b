package dev.tidemark;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Chooses how long message IDs are remembered, as part of {@link Tracked}. Set at most one of
 * {@link #keptFor}, {@link #last} and {@link #forEver}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface MessageIds {
  /**
   * Remembers ids for a duration.
   *
   * @return an ISO-8601 duration such as {@code P30D}; empty if another way is chosen
   */
  String keptFor() default "";

  /**
   * Remembers the last ids.
   *
   * @return 0 if another way is chosen
   */
  int last() default 0;

  /**
   * Never forgets an id.
   *
   * @return false by default
   */
  boolean forEver() default false;

  /**
   * Stores ids as bytes.
   *
   * @return false by default
   */
  boolean compact() default false;
}
