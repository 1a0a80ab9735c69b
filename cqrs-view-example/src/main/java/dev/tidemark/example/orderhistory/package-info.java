/** Order history: a view kept up to date by a projector. */
@NullMarked
package dev.tidemark.example.orderhistory;

import org.jspecify.annotations.NullMarked;
