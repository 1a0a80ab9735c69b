package dev.tidemark.tck;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Gives contracts the backend of their suite, aborts those that need more than it has, and reports
 * what was found.
 */
final class ContractExtension implements ParameterResolver, BeforeEachCallback, TestWatcher {
  static final String BACKEND = "tidemark.backend";

  private static final Namespace NAMESPACE = Namespace.create(ContractExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Backend.class || type == Report.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    SuiteRun run = run(context);
    return parameter.getParameter().getType() == Backend.class ? run.backend() : run.report();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    missing(context).ifPresent(capability -> abort(run(context).backend(), capability));
  }

  private static void abort(Backend backend, Capability capability) {
    Assumptions.abort(
        "missing capability: " + capability + ": " + backend.missing().get(capability));
  }

  private static Optional<Capability> missing(ExtensionContext context) {
    Backend backend = run(context).backend();
    return Stream.of(context.getRequiredTestMethod(), context.getRequiredTestClass())
        .flatMap(element -> AnnotationSupport.findAnnotation(element, Needs.class).stream())
        .flatMap(needs -> Arrays.stream(needs.value()))
        .filter(backend.missing()::containsKey)
        .findFirst();
  }

  private static Law law(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Contract.class)
        .orElseThrow()
        .value();
  }

  @Override
  public void testSuccessful(ExtensionContext context) {
    run(context).report().held(law(context));
  }

  @Override
  public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
    broken(context);
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    broken(context);
  }

  @Override
  public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
    missing(context)
        .ifPresentOrElse(
            capability -> run(context).report().missing(law(context), capability),
            () -> broken(context));
  }

  private static void broken(ExtensionContext context) {
    String contract = context.getRequiredTestClass().getSimpleName();
    run(context).report().broken(contract + ": " + context.getDisplayName());
  }

  private static SuiteRun run(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(SuiteRun.class, type -> start(context), SuiteRun.class);
  }

  private static SuiteRun start(ExtensionContext context) {
    String name =
        context
            .getConfigurationParameter(BACKEND)
            .orElseThrow(() -> new IllegalStateException("no configuration parameter " + BACKEND));
    Optional<SuiteRun> shared = MutantRuns.find(name);
    if (shared.isPresent()) {
      return shared.get();
    }
    Class<?> type =
        ReflectionSupport.tryToLoadClass(name)
            .getOrThrow(e -> new IllegalStateException(BACKEND + " names no class: " + name, e));
    return SuiteRun.start((BackendFactory) ReflectionSupport.newInstance(type));
  }
}
