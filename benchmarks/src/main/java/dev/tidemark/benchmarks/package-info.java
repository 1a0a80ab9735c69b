/** Measures what Tidemark costs. */
@NullMarked
package dev.tidemark.benchmarks;

import org.jspecify.annotations.NullMarked;
