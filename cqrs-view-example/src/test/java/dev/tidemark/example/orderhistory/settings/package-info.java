/** Tests of what processes are told. */
@NullMarked
package dev.tidemark.example.orderhistory.settings;

import org.jspecify.annotations.NullMarked;
