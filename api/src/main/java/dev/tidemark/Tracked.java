package dev.tidemark;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Chooses the {@link Tracking} of an entity class: {@code @Tracked(messageIds = @MessageIds(keptFor
 * = "P30D"), events = @Events(EventPolicy.Kind.CONTIGUOUS))}. Without arguments it means {@link
 * Tracking#defaults()}. The annotation names no subscriber; the tracking of a store does so by
 * {@link Tracking#as}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Tracked {
  /**
   * How long message IDs are remembered.
   *
   * @return 30 days by default
   */
  MessageIds messageIds() default @MessageIds;

  /**
   * What happens to late and early events, for all types and for single ones.
   *
   * @return drop late by default
   */
  Events[] events() default {};
}
