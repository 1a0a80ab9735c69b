/** Entity stores on MongoDB. */
@NullMarked
package dev.tidemark.mongodb;

import org.jspecify.annotations.NullMarked;
