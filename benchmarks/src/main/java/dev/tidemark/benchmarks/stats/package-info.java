/** Statistics of rounds. */
@NullMarked
package dev.tidemark.benchmarks.stats;

import org.jspecify.annotations.NullMarked;
