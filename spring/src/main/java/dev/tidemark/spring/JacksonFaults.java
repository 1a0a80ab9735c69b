package dev.tidemark.spring;

import dev.tidemark.intake.IntakeBuilder;
import org.springframework.util.ClassUtils;
import tools.jackson.core.JacksonException;

/** Jackson 3 has unchecked exceptions, which an intake would take for failures of the handler. */
final class JacksonFaults {
  private static final boolean PRESENT =
      ClassUtils.isPresent("tools.jackson.core.JacksonException", null);

  private JacksonFaults() {}

  static <M> IntakeBuilder<M> undecodable(IntakeBuilder<M> builder) {
    return PRESENT ? builder.undecodable(JacksonException.class) : builder;
  }
}
