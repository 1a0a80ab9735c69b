/** A class that is mapped for both stores. */
@NullMarked
package dev.tidemark.spring.both;

import org.jspecify.annotations.NullMarked;
