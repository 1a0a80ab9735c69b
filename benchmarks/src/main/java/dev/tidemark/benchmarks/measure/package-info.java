/** Runs techniques in rounds and counts what they cost. */
@NullMarked
package dev.tidemark.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
