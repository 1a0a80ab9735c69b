/** An abstract tracked class that nothing names a table for. */
@NullMarked
package dev.tidemark.spring.open;

import org.jspecify.annotations.NullMarked;
