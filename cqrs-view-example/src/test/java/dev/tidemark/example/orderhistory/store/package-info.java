@NullMarked
package dev.tidemark.example.orderhistory.store;

import org.jspecify.annotations.NullMarked;
