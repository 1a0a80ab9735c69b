/** An application whose stores are tested alone. */
@NullMarked
package dev.tidemark.spring.slice;

import org.jspecify.annotations.NullMarked;
