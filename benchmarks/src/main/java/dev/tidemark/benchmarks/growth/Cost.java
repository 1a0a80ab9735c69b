package dev.tidemark.benchmarks.growth;

/**
 * What one message costs at some size of its entity.
 *
 * @param requests how many leave
 * @param units what is billed; 0 where nothing is
 * @param p50 the median time, in milliseconds
 * @param p99 the 99th percentile of that
 * @param oplogBytes what replication carries; 0 where that cannot be read
 */
record Cost(double requests, double units, double p50, double p99, double oplogBytes) {}
