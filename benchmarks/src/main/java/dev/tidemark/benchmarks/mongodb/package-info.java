/** Techniques on MongoDB. */
@NullMarked
package dev.tidemark.benchmarks.mongodb;

import org.jspecify.annotations.NullMarked;
