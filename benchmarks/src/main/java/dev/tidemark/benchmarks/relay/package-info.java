/** How fast a relay sends what entities publish, and how long a message takes. */
@NullMarked
package dev.tidemark.benchmarks.relay;

import org.jspecify.annotations.NullMarked;
