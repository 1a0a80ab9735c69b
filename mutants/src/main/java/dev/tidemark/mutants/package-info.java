/** Sources that are wrong in one way each, for tests to catch. */
@NullMarked
package dev.tidemark.mutants;

import org.jspecify.annotations.NullMarked;
