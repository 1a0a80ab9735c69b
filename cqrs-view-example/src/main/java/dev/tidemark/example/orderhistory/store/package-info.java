/** The views in DynamoDB and in MongoDB: tables, collections, indexes and queries. */
@NullMarked
package dev.tidemark.example.orderhistory.store;

import org.jspecify.annotations.NullMarked;
