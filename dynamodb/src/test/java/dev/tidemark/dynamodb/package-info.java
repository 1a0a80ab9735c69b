/** Tests of the entity stores on DynamoDB. */
@NullMarked
package dev.tidemark.dynamodb;

import org.jspecify.annotations.NullMarked;
