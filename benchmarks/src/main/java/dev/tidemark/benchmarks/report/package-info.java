/** Goals, tables and charts of what was measured. */
@NullMarked
package dev.tidemark.benchmarks.report;

import org.jspecify.annotations.NullMarked;
