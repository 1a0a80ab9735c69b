/** Tests of entity stores on MongoDB, and what finds a server for them. */
@NullMarked
package dev.tidemark.mongodb;

import org.jspecify.annotations.NullMarked;
