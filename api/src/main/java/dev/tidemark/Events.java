package dev.tidemark;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The tracking of source events, as part of {@link Tracked}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface Events {
  /**
   * The type of the sources that the policy is for: an aggregate's, or a carrier's with its kind,
   * as in {@code @Events(type = Source.KAFKA + "orders")}.
   *
   * @return empty for all types without a policy of their own
   */
  String type() default "";

  /**
   * The policy.
   *
   * @return drop late by default
   */
  EventPolicy.Kind value() default EventPolicy.Kind.DROP_LATE;

  /**
   * The window's size.
   *
   * @return needed for windows, else 0
   */
  int size() default 0;

  /**
   * The position of the first event of a dense source; one below it is bad input.
   *
   * @return 1 by default
   */
  long startingAt() default 1;

  /**
   * Whether a dense window gives up holes.
   *
   * @return false by default
   */
  boolean givingUpHoles() default false;
}
