/** Tests of the batches, through the runtime's own reader and writer of JSON. */
@NullMarked
package dev.tidemark.lambda;

import org.jspecify.annotations.NullMarked;
