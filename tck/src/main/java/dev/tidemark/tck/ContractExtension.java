package dev.tidemark.tck;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/** Gives contracts the backend of their suite, and aborts those that need more than it has. */
final class ContractExtension implements ParameterResolver, BeforeEachCallback {
  static final String BACKEND = "tidemark.backend";

  private static final Namespace NAMESPACE = Namespace.create(ContractExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Backend.class || type == Report.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Run run = run(context);
    return parameter.getParameter().getType() == Backend.class ? run.backend() : run.report();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    Backend backend = run(context).backend();
    Stream.of(context.getRequiredTestMethod(), context.getRequiredTestClass())
        .flatMap(element -> AnnotationSupport.findAnnotation(element, Needs.class).stream())
        .flatMap(needs -> Arrays.stream(needs.value()))
        .filter(backend.missing()::containsKey)
        .findFirst()
        .ifPresent(
            missing ->
                Assumptions.abort(
                    "missing capability: " + missing + ": " + backend.missing().get(missing)));
  }

  private static Run run(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Run.class, type -> Run.start(factory(context)), Run.class);
  }

  private static BackendFactory factory(ExtensionContext context) {
    String name =
        context
            .getConfigurationParameter(BACKEND)
            .orElseThrow(() -> new IllegalStateException("no configuration parameter " + BACKEND));
    Class<?> type =
        ReflectionSupport.tryToLoadClass(name)
            .getOrThrow(e -> new IllegalStateException(BACKEND + " names no class: " + name, e));
    return (BackendFactory) ReflectionSupport.newInstance(type);
  }
}
