package dev.tidemark.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test class as a contract of one law. Its constructor or methods may take a {@link
 * Backend} and a {@link Report}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(ContractExtension.class)
public @interface Contract {
  /**
   * The law.
   *
   * @return the row of the page of guarantees
   */
  Law value();
}
