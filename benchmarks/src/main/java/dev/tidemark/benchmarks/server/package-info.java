/** The stores that are measured, as processes of their own. */
@NullMarked
package dev.tidemark.benchmarks.server;

import org.jspecify.annotations.NullMarked;
