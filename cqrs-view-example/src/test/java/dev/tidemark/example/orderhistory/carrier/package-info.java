@NullMarked
package dev.tidemark.example.orderhistory.carrier;

import org.jspecify.annotations.NullMarked;
