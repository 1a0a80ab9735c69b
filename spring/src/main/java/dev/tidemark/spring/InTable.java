package dev.tidemark.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the table or collection of a {@link dev.tidemark.Tracked} class:
 * {@code @InTable("orders")}. The property {@code tidemark.tables.<simple-name>} takes precedence
 * over the annotation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InTable {
  /**
   * The name.
   *
   * @return of the DynamoDB table or MongoDB collection
   */
  String value();
}
