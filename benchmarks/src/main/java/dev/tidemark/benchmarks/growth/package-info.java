/** What a message costs as its entity grows. */
@NullMarked
package dev.tidemark.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
