/** Techniques on DynamoDB. */
@NullMarked
package dev.tidemark.benchmarks.dynamodb;

import org.jspecify.annotations.NullMarked;
