/** The contracts that every entity store keeps, to be run against a store as JUnit tests. */
@NullMarked
package dev.tidemark.tck;

import org.jspecify.annotations.NullMarked;
