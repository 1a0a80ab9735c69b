/**
 * What a transaction of tracked writes came to. The transaction itself is the store's: {@code
 * DynamoDbTransaction} and {@code MongoTransaction}.
 */
@NullMarked
package dev.tidemark.transaction;

import org.jspecify.annotations.NullMarked;
