/**
 * Simulates clusters on a store that is replicated between them later, where the last writer of an
 * item wins: in virtual time, with lag, partitions, clocks that differ, clusters that die and come
 * back, and relays that crash. The relay that is driven is the real one; beside it stands the
 * published algorithm. Start at {@link dev.tidemark.lab.clusters.ClustersCommand}.
 */
@NullMarked
package dev.tidemark.lab.clusters;

import org.jspecify.annotations.NullMarked;
