package dev.tidemark.spring;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Starts the application contexts of {@link TidemarkTest}. */
final class TidemarkTestContextBootstrapper
    extends TestSliceTestContextBootstrapper<TidemarkTest> {}
