package dev.tidemark.benchmarks.report;

/**
 * One bar of a chart.
 *
 * @param label beside the bar
 * @param value its length
 * @param low where its whisker starts
 * @param high where its whisker ends
 * @param isOurs whether it is drawn in the accent colour
 */
public record Bar(String label, double value, double low, double high, boolean isOurs) {}
