package dev.tidemark.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong with the settings, and what to do, in place of a stack trace. */
final class SetupFailureAnalyzer extends AbstractFailureAnalyzer<SetupException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, SetupException cause) {
    return new FailureAnalysis(cause.description(), cause.action(), cause);
  }
}
