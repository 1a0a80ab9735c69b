/**
 * Between a carrier and a handler: what a carrier delivers becomes deliveries, and what became of
 * them says what to tell the carrier. The modules for carriers build on it.
 */
@NullMarked
package dev.tidemark.intake;

import org.jspecify.annotations.NullMarked;
