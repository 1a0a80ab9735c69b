/** Servers on this machine, for the demonstration and the tests. */
@NullMarked
package dev.tidemark.example.orderhistory.local;

import org.jspecify.annotations.NullMarked;
