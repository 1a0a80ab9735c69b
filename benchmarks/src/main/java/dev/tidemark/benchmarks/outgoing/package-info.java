/** What an outgoing message takes of a store, beside what others do and what is written by hand. */
@NullMarked
package dev.tidemark.benchmarks.outgoing;

import org.jspecify.annotations.NullMarked;
