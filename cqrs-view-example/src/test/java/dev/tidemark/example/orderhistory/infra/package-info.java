/** Holds what deploys the order history to what its code needs. */
@NullMarked
package dev.tidemark.example.orderhistory.infra;

import org.jspecify.annotations.NullMarked;
