/** Tracked classes with subclasses. */
@NullMarked
package dev.tidemark.spring.roots;

import org.jspecify.annotations.NullMarked;
