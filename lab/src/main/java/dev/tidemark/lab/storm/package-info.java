/**
 * A storm over both stores: deliveries in disorder, twice and at the same time, by single calls and
 * by batches, while replies are lost and the primary steps down. Every effect is counted in the
 * entity that it changed, and compared with what the deliveries were told. Start at {@link
 * dev.tidemark.lab.storm.StormCommand}.
 */
@NullMarked
package dev.tidemark.lab.storm;

import org.jspecify.annotations.NullMarked;
