/** Times pure parts and the way through a store on a client that answers at once. */
@NullMarked
package dev.tidemark.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
