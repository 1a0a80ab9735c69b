/**
 * The contracts that every entity store keeps, as JUnit tests: for backends, and for users who want
 * to see them hold on their own server. A suite names the configuration and selects all contracts,
 * so that a new contract runs everywhere at once:
 *
 * <pre>{@code
 * @Suite
 * @SelectPackages("dev.tidemark.tck.contract")
 * @IncludeClassNamePatterns(".*Contract")
 * @ConfigurationParameter(key = "tidemark.backend", value = "com.example.MyStoreFactory")
 * final class MyStoreTest {}
 * }</pre>
 *
 * <p>{@code MyStoreFactory} is a {@link dev.tidemark.tck.BackendFactory}; the {@link
 * dev.tidemark.tck.Backend} that it opens gives stores of {@link dev.tidemark.tck.View}, raw reads
 * and faults. What the configuration cannot do it declares as a missing {@link
 * dev.tidemark.tck.Capability}; contracts that need it are then reported as aborted by that name.
 *
 * <p>At run time the kit needs the engines {@code junit-jupiter} and {@code junit-platform-suite}.
 */
@NullMarked
package dev.tidemark.tck;

import org.jspecify.annotations.NullMarked;
