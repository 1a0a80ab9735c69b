/** What a process is told by its environment. */
@NullMarked
package dev.tidemark.example.orderhistory.settings;

import org.jspecify.annotations.NullMarked;
